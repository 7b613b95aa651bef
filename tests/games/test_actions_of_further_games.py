"""Each action of a further game, without a line about it: for whom it is, and what bad input does.

The actions of Polyhedral have cases in `tests/characters/play_pages`, with the steps that come before each.
"""

from itertools import product

import pytest
from django.urls import reverse

from characters import verbs
from characters.actions.registry import actions_of
from characters.change import fact_store
from characters.models import Character
from rules.games import GAMES
from rules.models import Ruleset
from rules.packs.load import load_rules
from tests.characters.cast import new_key, person
from tests.characters.play_pages.actions import BAD

from . import PACKS

pytestmark = pytest.mark.django_db

FURTHER = [game for game in PACKS if game != "polyhedral"]
SENDABLE = [text for text in BAD if "\udc80" not in text]  # the client's own encoding refuses that one


@pytest.fixture(scope="module", autouse=True)
def rules(shared):
    shared(lambda: [load_rules(PACKS[game]) for game in FURTHER])


@pytest.fixture
def character(client, game):
    client.force_login(person().user)
    return verbs.surprise(person(), new_key(), ruleset=Ruleset.objects.get(slug=game)).character


def address(action, character):
    return reverse(f"characters:play-{action.slug}", args=[character.pk])


@pytest.mark.parametrize(("game", "name"), [(game, name) for game in FURTHER for name in sorted(actions_of(game))])
def test_an_action_is_for_who_plays_the_character(client, character, game, name):
    url = address(actions_of(game)[name], character)
    client.force_login(person("bo").user)
    assert client.post(url, {"key": new_key()}).status_code == 404
    client.logout()
    assert client.post(url, {"key": new_key()}).status_code == 401
    assert Character.objects.get().version == character.version


@pytest.mark.parametrize(
    ("game", "action"),
    [(game, action) for game in FURTHER for action in GAMES[game].play.ACTIONS],
    ids=lambda one: getattr(one, "name", one),
)
def test_bad_input_to_an_action_is_refused_and_stores_nothing(client, character, action):
    url, refused = address(action, character), 0
    for field, bad in product(action.fields, SENDABLE):
        before = fact_store.stored(character)
        status = client.post(url, {"key": new_key(), field: bad}).status_code
        assert status in (303, 404, 422), (field, bad)
        if status != 303:
            assert fact_store.stored(character) == before
            refused += 1
    assert refused or not action.fields
