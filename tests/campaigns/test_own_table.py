"""A sheet tells its player where the character sits, that an encounter is on, and whose turn it is."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaigns.models import Encounter
from campaigns.verbs import campaigns, combatants, encounters, initiative, membership, seats
from characters.access import is_seated
from tests.campaigns.fights import Fight
from tests.campaigns.seated import brought, invite, saltmarsh, sits
from tests.characters.cast import as_guest, browser_of, mira, new_key, person

pytestmark = [pytest.mark.django_db, pytest.mark.full]
HTMX = {"HX-Request": "true"}


def begin():
    """Bo's Mira, a hidden witch, two wolves and Cid's Nell, in this order, before the first round."""
    made = Fight()
    made.wolves(2)
    made.wolves(name="Canary-witch", hidden=True)
    made.ordered(**{"Mira": 15, "Canary-witch": 13, "Wolf_1": 12, "Wolf_2": 11, "Nell": 9})
    return made


def words(response):
    """The words of the sheet's section about the table."""
    part = re.search(r'<section class="own-table.*?</section>', response.content.decode(), re.DOTALL)
    return re.sub(r"(<[^>]*>|\s)+", " ", part[0]).strip() if part else ""


def on_sheet(name, character):
    return words(browser_of(name).get(character.get_absolute_url()))


def ends_turn(client, character, saw, **headers):
    sent = {"key": new_key(), "saw": saw}
    return client.post(f"{character.get_absolute_url()}table/", sent, headers=headers)


def test_without_an_encounter_the_table_section_links_to_the_table(fight):
    encounters.end(fight.campaign.pk, fight.ana, fight.encounter.pk)
    assert on_sheet("bo", fight.mira) == "At the table Saltmarsh"


def test_a_storytellers_own_character_sits_with_the_players_but_not_alone_or_with_spectators():
    campaign = saltmarsh(dan="spectator")
    character = brought(campaign, "ana")
    assert not is_seated(character)
    sits(campaign, person("bo"))
    assert is_seated(character)


def test_the_sheet_of_an_unseated_character_has_no_table_section():
    assert on_sheet("bo", mira(person("bo"), state=None)) == ""


@pytest.mark.parametrize(
    ("turn", "said"),
    [
        ((0, None), "An encounter begins Your initiative is 15"),
        ((1, "Mira"), "Encounter, round 1 It’s your turn End my turn"),
        ((1, "Canary-witch"), "Encounter, round 1 Your storyteller’s turn"),
        ((1, "Wolf 2"), "Encounter, round 1 Wolf 2’s turn"),
        ((2, "Mira"), "Encounter, round 2 It’s your turn End my turn"),
        ((1, "Nell"), "Encounter, round 1 Nell’s turn"),
    ],
)
def test_the_table_section_says_whose_turn_it_is(fight, turn, said):
    fight.until(turn)
    assert on_sheet("bo", fight.mira) == said


def test_before_the_first_round_the_table_section_asks_for_initiative_until_it_is_rolled(fight):
    one = fight.named("Mira")
    initiative.enter_initiative(fight.campaign.pk, fight.ana, one.pk, total=None)
    assert on_sheet("bo", fight.mira) == "An encounter begins Roll initiative"
    there, sheet = f"{fight.campaign.get_absolute_url()}encounter/", fight.mira.get_absolute_url()
    to_the_sheet = f'<a href="{sheet}" hx-boost="false">Go to Mira’s sheet</a>'
    assert to_the_sheet in browser_of("bo").get(there).content.decode()
    assert "Rolls that players made on their sheets count." in browser_of("ana").get(there).content.decode()
    initiative.roll_initiative(fight.campaign.pk, fight.ana, new_key())
    rolled = fight.named("Mira").initiative
    assert on_sheet("bo", fight.mira) == f"An encounter begins Your initiative is {rolled}"
    assert to_the_sheet not in browser_of("bo").get(there).content.decode()
    assert "made on their sheets" not in browser_of("ana").get(there).content.decode()


def test_whoever_sits_down_while_an_encounter_is_on_reads_that_they_are_not_in_it(fight):
    """That goes for someone who stood up and comes back, too: their place in the order went with the seat."""
    fight.until((1, "Wolf 1"))
    there, absent = f"{fight.campaign.get_absolute_url()}encounter/", "Mira is not in this encounter."
    assert absent not in browser_of("bo").get(there).content.decode()
    seats.stand_up(fight.campaign.pk, fight.bo, fight.mira.seat.pk)
    seats.bring(fight.campaign.pk, fight.bo, fight.mira.pk)
    fight.mira.refresh_from_db()
    assert on_sheet("bo", fight.mira) == "Encounter, round 1 You are not in it"
    assert absent in browser_of("bo").get(there).content.decode()
    assert absent not in browser_of("cid").get(there).content.decode()
    combatants.bring_seat(fight.campaign.pk, fight.ana, new_key(), fight.mira.seat.pk)
    assert "You are not in it" not in on_sheet("bo", fight.mira)
    assert absent not in browser_of("bo").get(there).content.decode()


def test_the_table_section_says_that_it_is_nobodys_turn_once_the_character_has_left(fight):
    fight.until((1, "Nell"))
    seats.stand_up(fight.campaign.pk, fight.cid, fight.nell.seat.pk)
    assert on_sheet("bo", fight.mira) == "Encounter, round 1 Nobody’s turn"


def test_readers_and_the_storyteller_do_not_see_the_table_section(fight):
    fight.until((1, "Mira"))
    assert on_sheet("ana", fight.mira) == ""
    assert on_sheet("cid", fight.mira) == ""


def test_a_guest_sees_the_table_section_too(fight, client):
    token = "a guest's token"
    who = as_guest(client, token)
    seats.bring(fight.campaign.pk, membership_of(fight, who), mira(who, name="Gus", state=None).pk)
    gus = fight.campaign.seats.get(character__name="Gus").character
    assert words(client.get(gus.get_absolute_url())) == "An encounter begins You are not in it"


def membership_of(fight, who):
    membership.join(invite(fight.campaign), who, name="Gus")
    return who


def test_a_player_ends_their_turn_on_the_sheet(fight):
    fight.until((1, "Mira"))
    response = ends_turn(browser_of("bo"), fight.mira, fight.encounter.steps)
    assert (response.status_code, response.headers["Location"]) == (303, fight.mira.get_absolute_url())
    assert fight.turn == (1, "Canary-witch")


def test_with_script_the_response_has_the_new_section(fight):
    fight.until((1, "Mira"))
    response = ends_turn(browser_of("bo"), fight.mira, fight.encounter.steps, **HTMX)
    assert words(response) == "Encounter, round 1 Your storyteller’s turn"
    assert response.status_code == 200


@pytest.mark.parametrize(("saw", "sentence"), [("", "Reload the page"), ("x", "Reload the page")])
@pytest.mark.parametrize("headers", [{}, HTMX])
def test_bad_input_is_refused_and_passes_no_turn(fight, saw, sentence, headers):
    fight.until((1, "Mira"))
    response = ends_turn(browser_of("bo"), fight.mira, saw, **headers)
    assert response.status_code == 422
    assert sentence in response.content.decode()
    assert fight.turn == (1, "Mira")


def test_a_player_does_not_end_anothers_turn(fight):
    fight.until((1, "Wolf 1"))
    assert ends_turn(browser_of("bo"), fight.mira, fight.encounter.steps).status_code == 422
    assert fight.turn == (1, "Wolf 1")


def test_a_press_on_an_old_page_passes_no_turn(fight):
    fight.until((2, "Mira"))
    ends_turn(browser_of("bo"), fight.mira, 1)
    assert fight.turn == (2, "Mira")


@pytest.mark.parametrize("method", ["get", "post"])
def test_only_the_player_finds_the_table_section(fight, method):
    path = f"{fight.mira.get_absolute_url()}table/"
    for name in ("ana", "cid", "dan"):
        assert getattr(browser_of(name), method)(path, {"saw": 1}).status_code == 404
    fight.until((1, "Mira"))
    assert Encounter.objects.get().steps == 1


@pytest.mark.parametrize("gone", ["bin", "removed"])
def test_the_table_section_is_gone_with_the_seat(fight, gone):
    if gone == "bin":
        campaigns.throw_away(fight.campaign.pk, fight.ana)
    else:
        membership.remove(fight.campaign.pk, fight.ana, fight.campaign.members.get(name="Bo").pk)
    assert on_sheet("bo", fight.mira) == ""
    assert browser_of("bo").get(f"{fight.mira.get_absolute_url()}table/").status_code == 404


def test_the_table_section_costs_one_query_and_only_during_an_encounter(fight):
    fight.until((1, "Nell"))
    on = asked("bo", fight.mira)
    encounters.end(fight.campaign.pk, fight.ana, fight.encounter.pk)
    sits_here = asked("bo", fight.mira)
    seats.stand_up(fight.campaign.pk, fight.bo, fight.mira.seat.pk)
    assert (on - 1, sits_here) == (sits_here, asked("bo", fight.mira))


def test_many_combatants_cost_no_more_queries(fight):
    fight.until((1, "Mira"))
    few = asked("bo", fight.mira)
    fight.wolves(8, name="Rat")
    sits(fight.campaign, person("eve"), name="Eve")
    seats.bring(fight.campaign.pk, person("eve"), mira(person("eve"), state=None).pk)
    assert asked("bo", fight.mira) == few


def asked(name, character):
    """The number of queries of a sheet that has been drawn before."""
    client = browser_of(name)
    client.get(character.get_absolute_url())
    with CaptureQueriesContext(
        connection,
    ) as queries:
        client.get(character.get_absolute_url())
    return len(queries)
