"""The game of a table: chosen when it begins, if the site has several."""

import re
from dataclasses import replace

import pytest

from campaigns.models import Campaign
from campaigns.order import order_of
from campaigns.verbs import campaigns, creatures, encounters, screens, seats, table_rules
from campaigns.views.rule_pages import switches_of
from characters import verbs
from characters.actions.registry import action_names, actions_of, all_actions_of, named
from characters.actions.together import deeds_of
from characters.change.refusals import KeyReused
from characters.models import RollRecord
from characters.read.versions import read
from rules.games import GAMES
from rules.games.region import EQUIPMENT
from rules.models import Ruleset, Source
from rules.packs.load import load_rules
from tests.campaigns.seated import invite, sits
from tests.characters.cast import browser_of, facts, mira, new_key, person
from tests.games import pebbles
from tests.support.html import html_of

pytestmark = [pytest.mark.django_db, pytest.mark.full]


@pytest.fixture
def two_games():
    load_rules(pebbles.PACK)


@pytest.fixture
def table(client, two_games):
    """An empty table of the second game; `client` is its storyteller's."""
    client.force_login(person().user)
    ruleset = Ruleset.objects.get(slug="pebbles")
    return campaigns.create(person(), new_key(), name="Riverbank", ruleset=ruleset)


def begun(client, **fields):
    client.force_login(person().user)
    return client.post("/campaigns/begin/", {"key": new_key(), "name": "Riverbank", "description": "", **fields})


def test_a_site_with_one_game_does_not_ask(client):
    client.force_login(person().user)
    assert "ruleset" not in client.get("/campaigns/begin/").context["form"].fields
    page = client.get(begun(client).headers["Location"]).content.decode()
    (only,) = Ruleset.objects.playable()
    assert Campaign.objects.get().ruleset == only
    assert f'<p class="soft">{only}</p>' not in page


@pytest.mark.usefixtures("two_games")
def test_a_site_with_two_games_asks_and_the_table_says_which_it_is_of(client):
    client.force_login(person().user)
    page = client.get("/campaigns/begin/").content.decode()
    for ruleset in Ruleset.objects.playable():
        assert f'value="{ruleset.slug}"' in page
    here = begun(client, ruleset="pebbles").headers["Location"]
    assert Campaign.objects.get().ruleset.slug == "pebbles"
    for page in (here, f"/join/{invite(Campaign.objects.get())}/"):
        assert '<p class="soft">Pebbles</p>' in client.get(page).content.decode()


@pytest.mark.usefixtures("two_games")
@pytest.mark.parametrize(
    ("sent", "sentence"),
    [
        ({}, "Choose a game."),
        ({"ruleset": ""}, "Choose a game."),
        ({"ruleset": "chess"}, "Choose one of these games."),
        ({"ruleset": "x" * 5000}, "Choose one of these games."),
    ],
)
def test_no_game_and_an_unknown_one_are_refused_at_their_field(client, sent, sentence):
    answer = begun(client, **sent)
    assert answer.status_code == 422
    assert answer.context["form"].errors == {"ruleset": [sentence]}
    assert 'value="Riverbank"' in answer.content.decode()
    assert not Campaign.objects.exists()


def test_a_ruleset_without_rules_cannot_be_chosen(client, two_games):
    Source.objects.filter(ruleset__slug="pebbles").update(is_core=False)
    Ruleset.objects.create(slug="empty", name="Empty", game="pebbles")
    assert "ruleset" not in begun(client).headers["Location"]
    assert Campaign.objects.get().ruleset == Ruleset.objects.playable().get()


def test_one_key_does_not_begin_tables_of_two_games(table):
    again = {"name": table.name, "ruleset": table.ruleset}
    assert campaigns.create(person(), table.key, **again) == table
    with pytest.raises(KeyReused):
        campaigns.create(person(), table.key, name=table.name, ruleset=Ruleset.objects.playable().first())
    assert Campaign.objects.get() == table


def test_all_of_an_empty_table_is_of_its_game(client, table):
    here = table.get_absolute_url()
    form = client.get(f"{here}creatures/").context["form"]
    assert form.fields["vital"].label == "Pebbles"
    assert form.fields["rolls"].help_text.endswith("such as Splash 2d6.")
    [refusal] = client.post(f"{here}creatures/", {"key": new_key(), "rolls": "Roar"}).context["form"].errors["rolls"]
    assert refusal == "“Roar”: write a name and then its dice, such as Splash 2d6."
    rules = {f"rule-{one.key}" for one in switches_of(table.ruleset, ())}
    assert set(client.get(f"{here}rules/").context["form"].fields) <= rules
    assert table_rules.homebrew_begun(table).ruleset == table.ruleset
    assert seats.begin(table.pk, person(), new_key()).character.ruleset == table.ruleset


def test_a_creature_has_no_usual_dice_where_its_game_has_none(client, table, monkeypatch):
    monkeypatch.setattr(pebbles.encounter, "INITIATIVE", "throw")
    form = client.get(f"{table.get_absolute_url()}creatures/").context["form"]
    assert form.fields["dice"].help_text == "The dice for its place in the order."


def test_the_roll_for_the_order_has_the_games_own_word(client, table, monkeypatch):
    """On the storyteller's page, a player's, the player's sheet and the screen; no word without such a roll."""
    sits(table, person("bo"), name="Bo")
    pim = seats.begin(table.pk, person("bo"), new_key()).character
    encounters.begin(table.pk, person(), new_key())
    token = screens.make_screen(table.pk, person(), new_key(), vitals="bars")
    there, bo = f"{table.get_absolute_url()}encounter/", browser_of("bo")
    pages = [(client, there), (bo, there), (bo, f"/characters/{pim.pk}/table/"), (client, f"/screen/{token}/")]
    texts = [html_of(who.get(page)) for who, page in pages]
    assert not any(word in text for text in texts for word in ("nitiative", "Roll "))
    monkeypatch.setattr(pebbles.encounter, "INITIATIVE", "throw")
    monkeypatch.setattr(pebbles.encounter, "ORDER", "splash")
    texts = [html_of(who.get(page)) for who, page in pages]
    assert all("Roll splash" in text for text in texts)
    assert not any(re.search("Initiative|(?<![-/])initiative", text) for text in texts)


@pytest.fixture
def by_grip(monkeypatch):
    """In Pebbles, whoever has more grip goes first."""
    monkeypatch.setattr(pebbles.encounter, "ORDER", "reach")
    monkeypatch.setattr(pebbles.encounter, "place", lambda sheet: sheet.value("grip"))


@pytest.mark.usefixtures("by_grip")
def test_a_number_of_the_sheet_decides_the_order_where_the_game_says_so(client, table):
    """Nobody rolls; of two who are equal, one is drawn. A creature has no sheet, so a storyteller types its number."""
    for name, folk in (("Ann", "reed"), ("Bo", "rock")):
        sits(table, person(name.lower()), name=name)
        character = seats.begin(table.pk, person(name.lower()), new_key()).character
        verbs.rename(character.pk, person(name.lower()), new_key(), name=name)
        verbs.choose(character.pk, person(name.lower()), new_key(), choice="pebbles.folk", take=f"lineage:{folk}")
    encounter, there = encounters.begin(table.pk, person(), new_key()), f"{table.get_absolute_url()}encounter/"
    creatures.create(table.pk, person(), new_key(), name="Frog", many=1)
    text = html_of(client.get(there))
    assert "Sort by reach" in text
    assert "have rolled" not in text
    assert not re.search("Roll reach|own dice", html_of(browser_of("bo").get(there)))
    assert client.post(f"{there}initiative/", {"key": new_key()}).status_code == 303
    assert [(str(one), one.initiative) for one in order_of(encounter)] == [("Bo", 2), ("Ann", 1), ("Frog 1", None)]
    text = html_of(client.get(there))
    assert "Sort by reach" not in text
    assert text.count(" the reach of ") == 3
    assert RollRecord.objects.count() == 0


def test_characters_begin_with_experience_in_a_game_without_a_starting_level(client, table):
    """The page speaks of no starting level, and none has to be chosen for more experience than the first level has."""
    page = f"{table.get_absolute_url()}terms/"
    assert "starting level" not in client.get(page).content.decode()
    assert client.post(page, {"key": new_key(), "more_xp": "20"}).status_code == 303
    assert read(seats.begin(table.pk, person(), new_key()).character).sheet.level == 3


def test_a_character_of_another_game_sits_at_the_table_and_keeps_its_rules(table):
    sits(table, person("bo"))
    other = mira(person("bo"), state=None)
    verbs.set_switches(other.pk, person("bo"), new_key(), values={"trackAmmunition": "off"})
    seat = seats.bring(table.pk, person("bo"), other.pk)
    assert table_rules.decide(table.pk, person(), new_key(), switches={}, sources=()) == []
    assert facts(other)["switch:trackAmmunition"] == "off"
    assert (seat.character.ruleset, table.ruleset.slug) == (other.ruleset, "pebbles")
    assert other.ruleset != table.ruleset


@pytest.fixture
def pebbles_with_things(monkeypatch):
    """Both games have the act that gives something."""
    all_kept = (actions_of, named, action_names, all_actions_of, deeds_of)
    monkeypatch.setitem(GAMES, "pebbles", replace(pebbles.GAME, regions=(*pebbles.GAME.regions, EQUIPMENT)))
    for kept in all_kept:
        kept.cache_clear()
    yield
    monkeypatch.undo()
    for kept in all_kept:
        kept.cache_clear()


@pytest.mark.usefixtures("two_games", "pebbles_with_things")
def test_an_act_that_both_games_have_is_of_the_game_of_the_table(client):
    """Not of the game of whoever sat down first; and if all who are ticked play another game, it is of theirs."""
    client.force_login(person().user)
    table = campaigns.create(person(), new_key(), name="Saltmarsh", ruleset=Ruleset.objects.get(slug="polyhedral"))
    pim = verbs.start(person(), new_key(), ruleset=Ruleset.objects.get(slug="pebbles")).character
    for one in (pim, mira(state=None)):
        seats.bring(table.pk, person(), one.pk)
    page = f"{table.get_absolute_url()}act/add-item/"
    assert 'value="weapon:longsword"' in client.get(page).content.decode()
    assert 'value="weapon:longsword"' not in client.get(page, {"to": pim.pk}).content.decode()


@pytest.mark.usefixtures("two_games")
def test_those_buy_together_whose_game_has_such_purchases(client):
    """A character of another game, who sat down first, has no part in it."""
    client.force_login(person().user)
    table = campaigns.create(person(), new_key(), name="Saltmarsh", ruleset=Ruleset.objects.get(slug="polyhedral"))
    pim = verbs.start(person(), new_key(), ruleset=Ruleset.objects.get(slug="pebbles")).character
    here = table.get_absolute_url()
    for name in ("Mira", "Nell"):
        for one in [pim] * (name == "Mira") + [mira(name=name, state=None)]:
            seats.bring(table.pk, person(), one.pk)
        assert (f"{here}purchases/" in client.get(here).content.decode()) == (name == "Nell")
    fields = client.get(f"{here}purchases/").context["form"].fields
    assert [name for _, name in fields["to"].choices] == ["Mira", "Nell"]
    assert "weapon:longsword" in {ref for _, shelf in fields["ref"].choices[1:] for ref, _ in shelf}
