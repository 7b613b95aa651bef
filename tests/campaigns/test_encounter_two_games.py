"""An encounter with characters of two games: each plays by its own game, and creatures by the table's."""

import re

import pytest

from campaigns.verbs import combatants, initiative, seats
from characters import verbs
from characters.read.versions import read
from rules.games import GAMES
from rules.models import Ruleset
from rules.packs.load import load_rules
from tests.campaigns.fights import Fight
from tests.campaigns.seated import saltmarsh
from tests.characters.cast import browser_of, new_key, person
from tests.games import pebbles

pytestmark = [pytest.mark.django_db, pytest.mark.full]


def a_pebble(who):
    load_rules(pebbles.PACK)
    return verbs.start(who, new_key(), ruleset=Ruleset.objects.get(slug="pebbles")).character


def begin():
    """Mira and Nell of the larger game, Pim of the small one, and wolves."""
    made = Fight()
    made.pim = a_pebble(made.bo)
    seats.bring(made.campaign.pk, made.bo, made.pim.pk)
    combatants.bring_seat(made.campaign.pk, made.ana, new_key(), made.pim.seat.pk)
    made.wolves(2)
    return made


def page(fight, who):
    client = browser_of(who)
    return client.get(f"{fight.campaign.get_absolute_url()}encounter/")


def plays(fight, slug):
    """Make the table one of this ruleset."""
    fight.campaign.ruleset = Ruleset.objects.get(slug=slug)
    fight.campaign.save(update_fields=["ruleset"])


def test_each_character_rolls_initiative_by_its_own_game(fight):
    """A character whose game has no initiative is not waited for, and its player is not asked to enter one."""
    plays(fight, fight.mira.ruleset.slug)
    button = f'action="{fight.campaign.get_absolute_url()}encounter/initiative/"'
    before = page(fight, fight.ana)
    assert button in before.content.decode()
    assert {line.name for line in before.context["to_place"]} == {"Mira", "Nell", "Wolf 1", "Wolf 2"}
    assert [line.name for line in page(fight, fight.bo).context["scene"].to_enter] == ["Mira"]
    assert initiative.roll_initiative(fight.campaign.pk, fight.ana, new_key()) == {}
    rolled = {str(one) for one in fight.everybody if one.initiative is not None}
    assert rolled == {"Mira", "Nell", "Wolf 1", "Wolf 2"}
    answer = page(fight, fight.ana)
    assert answer.context["to_place"] == []
    assert button not in answer.content.decode()


def test_characters_roll_initiative_even_if_the_tables_own_game_has_none(fight):
    plays(fight, "pebbles")
    assert {line.name for line in page(fight, fight.ana).context["to_place"]} == {"Mira", "Nell"}
    assert [line.name for line in page(fight, fight.bo).context["scene"].to_enter] == ["Mira"]
    initiative.roll_initiative(fight.campaign.pk, fight.ana, new_key())
    assert {str(one) for one in fight.everybody if one.initiative is not None} == {"Mira", "Nell"}


@pytest.mark.parametrize("slug", ["pebbles", ""])
def test_each_combatants_numbers_have_the_names_of_its_game(fight, slug):
    plays(fight, slug or fight.mira.ruleset.slug)
    shown = page(fight, fight.ana)
    lines = {line.name: line for line in shown.context["scene"].lines}
    larger, small = GAMES[fight.mira.ruleset.game].encounter, GAMES["pebbles"].encounter
    defense = str(read(fight.mira).sheet.value("defense"))
    assert (lines["Mira"].rules, lines["Mira"].guard) == (larger, defense)
    assert (lines[str(fight.pim)].rules, lines[str(fight.pim)].guard) == (small, "")
    assert lines["Wolf 1"].rules is (small if slug else larger)
    assert f'{larger.GUARD} <b class="number">{defense}</b>' in shown.content.decode()


def words_of_hits(fight):
    """The words on the buttons that hit and heal, with whom they are for, as the storyteller reads them."""
    text = page(fight, fight.ana).content.decode()
    forms = re.findall(r'class="fight-hit".*?</form>', text, re.DOTALL)
    found = re.findall(r"<button.*?</button>", "".join(forms), re.DOTALL)
    return {" ".join(re.sub("<[^>]*>", "", word).split()) for word in found}


def test_hits_and_healing_have_the_words_of_each_game(fight, monkeypatch):
    """No button heals in a game without an act for it. A creature can be hit even if the game has none for that."""
    plays(fight, fight.mira.ruleset.slug)
    others = {"Damage Mira", "Heal Mira", "Damage Nell", "Heal Nell"}
    assert words_of_hits(fight) == others | {f"{word} Wolf {n}" for word in ("Damage", "Heal") for n in (1, 2)}
    plays(fight, "pebbles")
    assert words_of_hits(fight) == others | {"Hit Wolf 1", "Hit Wolf 2"}
    monkeypatch.setattr(pebbles.encounter, "HIT", "dusk")
    assert words_of_hits(fight) == others | {f"Dusk {name}" for name in ("Wolf 1", "Wolf 2", fight.pim)}


def test_everybody_gets_a_turn(fight):
    seen = []
    for _ in range(5):
        fight.next()
        seen.append(fight.turn[1])
    assert sorted(seen) == sorted(fight.order)


def test_creatures_use_the_small_game_if_the_table_plays_only_that(client):
    load_rules(pebbles.PACK)
    campaign = saltmarsh(ruleset=Ruleset.objects.get(slug="pebbles"))
    client.force_login(person().user)
    form = client.get(f"{campaign.get_absolute_url()}creatures/").context["form"]
    assert "guard" not in form.fields
    assert form.fields["vital"].label == "Pebbles"
