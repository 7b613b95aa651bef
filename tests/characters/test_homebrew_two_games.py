"""An account has homebrew for each game: entries of one are not listed, found or copied in the other."""

import pytest
from django.urls import reverse

from characters import verbs
from rules.models import Element, Ruleset
from rules.packs.load import load_rules
from tests.characters.cast import new_key, person
from tests.games import pebbles
from tests.support.homebrew import homebrew

pytestmark = [pytest.mark.django_db, pytest.mark.full]


@pytest.fixture
def ana(client):
    """Ana's browser. She has Mothwing in one game and nothing yet in the other."""
    load_rules(pebbles.PACK)
    homebrew("Moths", owner=person().user, moth="Mothwing")
    client.force_login(person().user)
    return client


def rulesets():
    return [Ruleset.objects.get(slug=slug) for slug in ("pebbles", "polyhedral")]


def sources_of(character):
    return reverse("characters:sources", args=[character.pk])


def test_a_page_without_a_game_leads_to_the_first(ana):
    assert ana.get("/homebrew/").headers["Location"] == "/homebrew/polyhedral/"
    assert ana.get("/homebrew/chess/").status_code == 404


def test_each_game_has_its_own_entries(ana):
    assert "Mothwing" in ana.get("/homebrew/polyhedral/").content.decode()
    assert "Mothwing" not in ana.get("/homebrew/pebbles/").content.decode()
    moth = Element.objects.get(name="Mothwing")
    assert ana.get(f"/homebrew/polyhedral/{moth.pk}/").status_code == 200
    assert ana.get(f"/homebrew/pebbles/{moth.pk}/").status_code == 404


def test_what_is_copied_and_put_in_play_is_of_the_game(ana):
    kinds = ana.get("/homebrew/pebbles/copy/").context["kinds"]
    offered = [one for _, rows in kinds for _, one in rows]
    assert {one.ruleset.slug for one in offered} == {"pebbles"}
    assert ana.post("/homebrew/pebbles/copy/", {"key": new_key(), "entry": offered[0].pk}).status_code == 303
    pim, mira = (verbs.start(person(), new_key(), ruleset=found).character for found in rulesets())
    saw = ana.get("/homebrew/pebbles/publish/").context["saw"]
    assert ana.post("/homebrew/pebbles/publish/", {"saw": saw}).status_code == 303
    assert [url for url, _ in ana.get("/homebrew/pebbles/").context["plays"]] == [sources_of(pim)]
    assert [url for url, _ in ana.get("/homebrew/polyhedral/").context["plays"]] == [sources_of(mira)]


def test_a_site_with_one_game_shows_no_choice_of_games(client):
    client.force_login(person().user)
    assert 'aria-label="Game"' not in client.get("/homebrew/polyhedral/").content.decode()


@pytest.mark.parametrize("has_one", [True, False])
def test_a_first_publication_asks_to_put_it_in_play_only_where_there_is_a_character(client, has_one):
    source = homebrew("Moths", owner=person().user, published=False, moth="Mothwing")
    if has_one:
        verbs.start(person(), new_key(), ruleset=source.ruleset)
    client.force_login(person().user)
    page = "/homebrew/polyhedral/publish/"
    said = client.post(page, {"saw": client.get(page).context["saw"]}, follow=True).content.decode()
    assert "Published." in said
    assert ("Now put it in play." in said) == has_one
