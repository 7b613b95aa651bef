"""Every letter in the list of keys leads to something on the sheet, and every letter that does is listed."""

import re

import pytest

from characters import verbs
from characters.actions.registry import actions_of
from characters.verbs.leveling import seen
from rules.compile import bundle_for
from rules.models import Ruleset
from rules.packs.load import load_rules
from tests.characters.cast import new_key, person
from tests.games import pebbles
from tests.support.characters import fresh, put_xp
from tests.support.html import html_of

KEY = re.compile(r'data-key="(\w)"')


def listed(html):
    return re.findall(r"<kbd>(\w)</kbd>", re.search(r'<dialog id="keys".*?</dialog>', html, re.S)[0])


@pytest.fixture
def sheet(player):
    """The sheet after a change, which can be undone."""
    player.send("adjust", resource="wounds", by="+1")
    return html_of(player.get())


def test_the_listed_letters_are_exactly_those_on_the_sheet(sheet):
    assert sorted(KEY.findall(sheet)) == sorted(listed(sheet))
    assert len(listed(sheet)) == 12


@pytest.mark.parametrize(
    "action", [one for one in actions_of("polyhedral").values() if one.key[0]], ids=lambda one: one.name
)
def test_the_letter_of_an_action_leads_into_its_form(sheet, action):
    forms = re.findall(r"<form .*?</form>", sheet)
    (own,) = [form for form in forms if f'data-key="{action.key[0]}"' in form]
    assert f"/play/{action.slug}/" in own.partition(">")[0]


@pytest.mark.parametrize("below", ["rest/", "downtime/", "history/", "rolls/", "pool/", "roll/initiative/"])
def test_other_pages_list_only_letters_that_they_have(player, below):
    html = html_of(player.get(below))
    assert {*listed(html)} == {"r", "l"} <= {*KEY.findall(html)}


def test_the_listed_letters_are_exactly_those_on_the_sheet_of_another_game(client, db):
    """The character has a talent, which adds a feature to the sheet, and a change to undo."""
    load_rules(pebbles.PACK)
    ana = person()
    pk = verbs.start(ana, new_key(), ruleset=Ruleset.objects.get(slug="pebbles")).character.pk
    put_xp(pk, ana, 20)
    pim = fresh(pk)
    pick = {"take": "pebbles.level-talent", "targets": ["talent:song"]}
    verbs.level_up(pk, ana, new_key(), level=2, saw=seen(bundle_for(pim.ruleset), pim.version), **pick)
    client.force_login(ana.user)
    html = html_of(client.get(pim.get_absolute_url()))
    assert sorted(KEY.findall(html)) == sorted(listed(html)) == ["f", "u", "y"]
