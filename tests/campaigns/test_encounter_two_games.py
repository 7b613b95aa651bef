"""An encounter with characters of two games: each plays by its own game, and creatures by the table's."""

import pytest
from django.test import Client

from campaigns.campaign_game import game_of
from campaigns.models import CampaignRules, CampaignTerms
from campaigns.verbs import combatants, initiative, seats
from characters import verbs
from characters.read.versions import read
from rules.games import GAMES
from rules.models import Ruleset
from rules.packs.load import load_rules
from tests.campaigns.fights import Fight
from tests.campaigns.seated import saltmarsh
from tests.characters.cast import new_key, person
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


@pytest.fixture(params=["pebbles first", "pebbles last"])
def either(request, fight):
    """The same encounter, with Pim's seat once the first and once the last of the table."""
    if request.param == "pebbles first":
        fight.campaign.seats.filter(character=fight.pim).update(made_at=fight.campaign.made_at)
    return fight


def page(fight, who):
    client = Client()
    client.force_login(who.user)
    return client.get(f"{fight.campaign.get_absolute_url()}encounter/")


def decides(fight, slug, model=CampaignRules):
    model.objects.update_or_create(campaign=fight.campaign, defaults={"ruleset": Ruleset.objects.get(slug=slug)})


def test_before_anything_is_decided_the_table_plays_the_game_of_its_first_seat(either):
    first = either.campaign.seats.first().character.ruleset.game
    assert game_of(either.campaign) is GAMES[first]


@pytest.mark.parametrize("model", [CampaignRules, CampaignTerms])
def test_house_rules_and_terms_decide_the_tables_game_whichever_seat_is_first(either, model):
    for slug in ("pebbles", either.mira.ruleset.slug):
        decides(either, slug, model)
        assert game_of(either.campaign) is GAMES[Ruleset.objects.get(slug=slug).game]


def test_house_rules_come_before_terms(fight):
    decides(fight, "pebbles")
    decides(fight, fight.mira.ruleset.slug, CampaignTerms)
    assert game_of(fight.campaign) is GAMES["pebbles"]


def test_each_character_rolls_initiative_by_its_own_game(either):
    """A character whose game has no initiative is not waited for, and its player is not asked to enter one."""
    decides(either, either.mira.ruleset.slug)
    button = f'action="{either.campaign.get_absolute_url()}encounter/initiative/"'
    before = page(either, either.ana)
    assert button in before.content.decode()
    assert {line.name for line in before.context["to_roll"]} == {"Mira", "Nell", "Wolf 1", "Wolf 2"}
    assert [line.name for line in page(either, either.bo).context["scene"].to_enter] == ["Mira"]
    assert initiative.roll_initiative(either.campaign.pk, either.ana, new_key()) == {}
    rolled = {str(one) for one in either.everybody if one.initiative is not None}
    assert rolled == {"Mira", "Nell", "Wolf 1", "Wolf 2"}
    answer = page(either, either.ana)
    assert answer.context["to_roll"] == []
    assert button not in answer.content.decode()


def test_characters_roll_initiative_even_if_the_tables_own_game_has_none(either):
    decides(either, "pebbles")
    assert {line.name for line in page(either, either.ana).context["to_roll"]} == {"Mira", "Nell"}
    assert [line.name for line in page(either, either.bo).context["scene"].to_enter] == ["Mira"]
    initiative.roll_initiative(either.campaign.pk, either.ana, new_key())
    assert {str(one) for one in either.everybody if one.initiative is not None} == {"Mira", "Nell"}


@pytest.mark.parametrize("slug", ["pebbles", ""])
def test_each_combatants_numbers_have_the_names_of_its_game(either, slug):
    decides(either, slug or either.mira.ruleset.slug)
    shown = page(either, either.ana)
    lines = {line.name: line for line in shown.context["scene"].lines}
    larger, small = GAMES[either.mira.ruleset.game].encounter, GAMES["pebbles"].encounter
    defense = str(read(either.mira).sheet.value("defense"))
    assert (lines["Mira"].rules, lines["Mira"].guard) == (larger, defense)
    assert (lines[str(either.pim)].rules, lines[str(either.pim)].guard) == (small, "")
    assert lines["Wolf 1"].rules is (small if slug else larger)
    assert f'{larger.GUARD} <b class="number">{defense}</b>' in shown.content.decode()


def test_everybody_gets_a_turn(either):
    seen = []
    for _ in range(5):
        either.next()
        seen.append(either.turn[1])
    assert sorted(seen) == sorted(either.order)


def test_creatures_use_the_small_game_if_the_table_plays_only_that(client):
    campaign, who = saltmarsh(), person()
    seats.bring(campaign.pk, who, a_pebble(who).pk)
    client.force_login(who.user)
    form = client.get(f"{campaign.get_absolute_url()}creatures/").context["form"]
    assert "guard" not in form.fields
    assert form.fields["vital"].label == "Pebbles"
