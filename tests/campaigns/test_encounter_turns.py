"""Turns pass and go back, and their changes of characters are made, undone and made again with them."""

import pytest
from django.db import connection
from django.http import Http404
from django.test.utils import CaptureQueriesContext

from campaigns.models import Encounter, Turn
from campaigns.verbs import (
    combatant_conditions,
    combatants,
    creature_actions,
    encounters,
    membership,
    seats,
    turn_order,
)
from characters import verbs
from characters.change.refusals import Refused
from characters.models import Character
from polyhedral_site.account_deletion import delete
from tests.campaigns.fights import Fight
from tests.campaigns.seated import saltmarsh, sits
from tests.characters.cast import browser_of, facts, guest, mira, new_key, person
from tests.characters.play.table import play

pytestmark = [pytest.mark.django_db, pytest.mark.full]


def begin():
    made = Fight()
    made.wolves(2)
    made.ordered(Mira=15, Wolf_1=12, Wolf_2=11, Nell=9)
    return made


def test_everybody_at_the_table_is_in_the_encounter(fight):
    assert fight.order == ["Mira", "Wolf 1", "Wolf 2", "Nell"]
    assert fight.turn == (0, None)
    combatants.bring_seat(fight.campaign.pk, fight.ana, new_key(), fight.mira.seat.pk)
    assert fight.order == ["Mira", "Wolf 1", "Wolf 2", "Nell"]


def test_turns_pass_in_order_and_rounds_are_counted(fight):
    seen = []
    for _ in range(6):
        fight.next()
        seen.append(fight.turn)
    assert seen == [(1, "Mira"), (1, "Wolf 1"), (1, "Wolf 2"), (1, "Nell"), (2, "Mira"), (2, "Wolf 1")]


def test_an_encounter_at_its_limit_of_turns_can_only_end(fight):
    fight.until((1, "Nell"))
    Encounter.objects.update(steps=turn_order.MOST_STEPS, round=turn_order.MOST_STEPS)
    everything = {"name": "Held", "rounds": 1_000, "whose": None, "at_end": False}
    combatant_conditions.add(fight.campaign.pk, fight.ana, new_key(), fight.named("Wolf 1").pk, **everything)
    for press in (fight.next, fight.back):
        with pytest.raises(Refused, match="End it and begin another one"):
            press()
    encounters.end(fight.campaign.pk, fight.ana, fight.encounter.pk)
    assert fight.encounter is None


def test_a_turn_begins_on_the_sheet_by_the_person_who_passed_it_on(fight):
    play.move(fight.nell.pk, fight.cid, new_key(), far=15)
    fight.until((1, "Wolf 2"))
    fight.next(fight.ana)
    assert facts(fight.nell).get("spent:movement", 0) == 0
    change = fight.nell.changes.latest("sequence")
    assert (change.verb, change.actor) == ("next_round", fight.ana.user)
    fight.next(fight.cid)
    assert fight.mira.changes.latest("sequence").actor == fight.cid.user


def test_going_back_a_turn_undoes_its_changes(fight):
    play.add_condition(fight.nell.pk, fight.cid, new_key(), condition="condition:poisoned", rounds=2)
    before = facts(fight.nell)
    fight.until((1, "Nell"))
    assert facts(fight.nell)["condition:condition:poisoned|"]["rounds"] == 1
    assert fight.back() == []
    assert fight.turn == (1, "Wolf 2")
    assert facts(fight.nell) == before
    fight.next()
    assert facts(fight.nell)["condition:condition:poisoned|"]["rounds"] == 1
    fight.until((2, "Nell"))
    assert "condition:condition:poisoned|" not in facts(fight.nell)


def test_going_back_keeps_a_later_change_and_does_not_begin_the_turn_twice(fight):
    play.add_condition(fight.nell.pk, fight.cid, new_key(), condition="condition:poisoned", rounds=3)
    fight.until((1, "Nell"))
    play.add_condition(fight.nell.pk, fight.cid, new_key(), condition="condition:poisoned", rounds=9)
    (stays,) = fight.back()
    assert "starts a turn" in stays
    assert fight.turn == (1, "Wolf 2")
    fight.next()
    assert facts(fight.nell)["condition:condition:poisoned|"]["rounds"] == 9
    assert fight.verbs_of(fight.nell).count("next_round") == 1


def test_the_start_of_a_turn_that_a_player_undid_is_done_when_the_turn_comes_again(fight):
    fight.until((1, "Nell"))
    play.undo(fight.nell.pk, fight.cid, new_key(), fight.nell.changes.latest("sequence").sequence)
    assert fight.back() == []
    fight.next()
    assert fight.verbs_of(fight.nell) == ["next_round", "undo", "next_round"]


def test_going_back_in_a_later_round_undoes_the_start_of_that_turn_alone(fight):
    play.add_condition(fight.nell.pk, fight.cid, new_key(), condition="condition:poisoned", rounds=5)
    fight.until((2, "Nell"))
    assert facts(fight.nell)["condition:condition:poisoned|"]["rounds"] == 3
    assert fight.back() == []
    assert facts(fight.nell)["condition:condition:poisoned|"]["rounds"] == 4
    assert fight.verbs_of(fight.nell) == ["add_condition", "next_round", "next_round", "undo"]


def test_going_back_from_the_first_turn_leaves_it_nobodys_turn(fight):
    fight.next()
    fight.back()
    assert fight.turn == (0, None)
    with pytest.raises(Refused, match="Nobody has had a turn"):
        fight.back()
    fight.next()
    assert fight.turn == (1, "Mira")
    assert Turn.objects.count() == 1


def test_a_player_ends_their_own_turn_and_no_other(fight):
    fight.next()
    with pytest.raises(Refused, match="not your turn"):
        fight.next(fight.cid)
    fight.next(fight.bo)
    assert fight.turn == (1, "Wolf 1")
    with pytest.raises(Refused, match="not your turn"):
        fight.next(fight.bo)


def test_spectators_and_strangers_do_not_pass_turns(fight):
    sits(fight.campaign, person("dan"), "spectator", name="Dan")
    fight.next()
    with pytest.raises(Refused):
        fight.next(person("dan"))
    for who in (person("zoe"), guest("d" * 64)):
        with pytest.raises(Http404):
            fight.next(who)
    with pytest.raises(Http404):
        turn_order.previous_turn(fight.campaign.pk, fight.bo, new_key(), saw=1)
    assert fight.turn == (1, "Mira")


def test_a_guest_at_the_table_ends_their_turn(fight):
    sits(fight.campaign, guest(), name="Gil")
    seats.bring(fight.campaign.pk, guest(), mira(guest(), name="Gawn").pk)
    combatants.bring_seat(fight.campaign.pk, fight.ana, new_key(), fight.campaign.seats.last().pk)
    fight.ordered(Gawn=14)
    fight.until((1, "Gawn"))
    fight.next(guest())
    assert fight.turn == (1, "Wolf 1")


def test_a_form_sent_twice_passes_one_turn(fight):
    key = new_key()
    for _ in range(2):
        fight.next(saw=0, key=key)
    assert fight.turn == (1, "Mira")
    fight.next(saw=1)
    for _ in range(2):
        fight.back(saw=2)
    assert fight.turn == (1, "Mira")


def test_a_creature_that_is_down_is_passed_over(fight):
    fight.next()
    wolf = fight.named("Wolf 1")
    creature_actions.hit(fight.campaign.pk, fight.ana, new_key(), wolf.pk, amount=50, heal=False)
    fight.next()
    assert fight.turn == (1, "Wolf 2")
    fight.back()
    assert fight.turn == (1, "Mira")
    creature_actions.hit(fight.campaign.pk, fight.ana, new_key(), wolf.pk, amount=1, heal=True)
    fight.next()
    assert fight.turn == (1, "Wolf 1")


def test_a_character_who_leaves_on_their_turn_leaves_it_to_nobody(fight):
    fight.next()
    seats.stand_up(fight.campaign.pk, fight.bo, fight.campaign.seats.get(character=fight.mira).pk)
    assert fight.order == ["Wolf 1", "Wolf 2", "Nell"]
    assert fight.turn == (1, None)
    fight.ordered(Nell=10)
    assert fight.turn == (1, None)
    fight.next()
    assert fight.turn == (1, "Wolf 1")
    combatants.remove(fight.campaign.pk, fight.ana, fight.named("Wolf 1").pk)
    fight.back()
    assert fight.turn == (0, None)


def test_a_turn_whose_owner_left_stays_where_it_was_when_the_order_changes(fight):
    fight.until((1, "Nell"))
    seats.stand_up(fight.campaign.pk, fight.cid, fight.campaign.seats.get(character=fight.nell).pk)
    fight.ordered(Wolf_2=13)
    assert (fight.order, fight.turn) == (["Mira", "Wolf 2", "Wolf 1"], (1, None))
    fight.next()
    assert fight.turn == (2, "Mira")


@pytest.mark.parametrize(
    ("moved", "order", "coming"),
    [
        ({"Wolf_2": 16}, ["Wolf 2", "Mira", "Wolf 1"], (1, "Wolf 1")),
        ({"Mira": 1}, ["Wolf 1", "Wolf 2", "Mira"], (1, "Wolf 1")),
        ({"Mira": 20}, ["Mira", "Wolf 1", "Wolf 2"], (1, "Wolf 1")),
        ({"Mira": None}, ["Mira", "Wolf 1", "Wolf 2"], (1, "Wolf 1")),
    ],
)
def test_nobody_else_loses_a_turn_or_has_two_when_one_moves_across_a_turn_whose_owner_left(fight, moved, order, coming):
    fight.ordered(Nell=14)
    fight.until((1, "Nell"))
    seats.stand_up(fight.campaign.pk, fight.cid, fight.campaign.seats.get(character=fight.nell).pk)
    fight.ordered(**moved)
    assert fight.order == order
    fight.next()
    assert fight.turn == coming


@pytest.mark.parametrize("who", ["creatures", "character"])
def test_newcomers_do_not_have_the_last_turn_of_one_who_left(fight, who):
    fight.until((1, "Nell"))
    combatants.remove(fight.campaign.pk, fight.ana, fight.named("Nell").pk)
    fight.ordered(Mira=16)
    if who == "creatures":
        fight.wolves(1, name="Ogre")
    else:
        combatants.bring_seat(
            fight.campaign.pk, fight.ana, new_key(), fight.campaign.seats.get(character=fight.nell).pk
        )
    newcomer = fight.order[-1]
    assert fight.turn == (1, None)
    fight.next()
    assert fight.turn == (1, newcomer)


def test_players_pass_turns_at_a_table_that_nobody_leads(fight):
    """The start of the next character's turn waits: it takes the right of whoever runs the table."""
    fight.ordered(Nell=14)
    fight.next()
    delete(fight.ana.user)
    fight.next(fight.bo)
    assert fight.turn == (1, "Nell")
    assert fight.verbs_of(fight.nell) == []


def test_a_character_in_the_bin_has_no_turns(fight):
    verbs.throw_away(fight.mira.pk, fight.bo, new_key())
    fight.next()
    assert fight.turn == (1, "Wolf 1")


def test_next_is_refused_when_nobody_can_take_a_turn(fight):
    for one in fight.everybody:
        combatants.remove(fight.campaign.pk, fight.ana, one.pk)
    with pytest.raises(Refused, match="Nobody here"):
        fight.next()


def test_an_unfinished_character_has_turns_that_do_not_change_it(fight):
    draft = verbs.start(fight.bo, new_key()).character
    seats.bring(fight.campaign.pk, fight.bo, draft.pk)
    combatants.bring_seat(fight.campaign.pk, fight.ana, new_key(), fight.campaign.seats.last().pk)
    fight.until((1, "Unnamed character"))
    assert fight.verbs_of(draft) == []
    fight.next()
    assert fight.turn == (2, "Mira")


def test_a_new_encounter_leaves_the_party_as_it_is(fight):
    fight.until((2, "Mira"))
    play.take_damage(fight.mira.pk, fight.bo, new_key(), amount=3)
    before, old = facts(fight.mira), fight.encounter
    encounters.end(fight.campaign.pk, fight.ana, old.pk)
    assert fight.encounter is None
    with pytest.raises(Refused, match="no encounter"):
        turn_order.next_turn(fight.campaign.pk, fight.ana, new_key(), saw=5)
    encounters.begin(fight.campaign.pk, fight.ana, new_key())
    assert facts(fight.mira) == before
    assert fight.order == ["Mira", "Nell"]
    with pytest.raises(Refused, match="begun since then"):
        encounters.resume(fight.campaign.pk, fight.ana, old.pk)


def test_an_encounter_begins_with_those_who_are_played_or_with_all_if_nobody_is(fight):
    encounters.end(fight.campaign.pk, fight.ana, fight.encounter.pk)
    seats.bring(fight.campaign.pk, fight.ana, mira(fight.ana, name="Quint", state=None).pk)
    encounters.begin(fight.campaign.pk, fight.ana, new_key())
    assert fight.order == ["Mira", "Nell"]
    encounters.end(fight.campaign.pk, fight.ana, fight.encounter.pk)
    for who in (fight.bo, fight.cid):
        membership.leave(fight.campaign.pk, who)
    encounters.begin(fight.campaign.pk, fight.ana, new_key())
    assert fight.order == ["Quint"]


def test_only_the_encounter_that_the_page_showed_is_ended_and_only_at_its_own_table(fight):
    """The page of a storyteller whose helper has ended it and begun the next."""
    old, other = fight.encounter.pk, saltmarsh("zoe")
    encounters.end(other.pk, person("zoe"), old)
    assert fight.encounter.pk == old
    encounters.end(fight.campaign.pk, fight.ana, old)
    begun = encounters.begin(fight.campaign.pk, fight.ana, new_key())
    encounters.end(fight.campaign.pk, fight.ana, old)
    assert fight.encounter == begun


def test_an_encounter_begins_without_characters_in_the_bin(fight):
    encounters.end(fight.campaign.pk, fight.ana, fight.encounter.pk)
    verbs.throw_away(fight.mira.pk, fight.bo, new_key())
    encounters.begin(fight.campaign.pk, fight.ana, new_key())
    assert fight.order == ["Nell"]


def test_the_last_encounter_resumes_where_it_ended(fight):
    fight.until((1, "Wolf 2"))
    pk = fight.encounter.pk
    encounters.end(fight.campaign.pk, fight.ana, pk)
    encounters.resume(fight.campaign.pk, fight.ana, pk)
    assert fight.turn == (1, "Wolf 2")


def test_a_form_sent_twice_begins_one_encounter(fight):
    encounters.end(fight.campaign.pk, fight.ana, fight.encounter.pk)
    key = new_key()
    first = encounters.begin(fight.campaign.pk, fight.ana, key)
    assert encounters.begin(fight.campaign.pk, fight.ana, new_key()) == first
    encounters.end(fight.campaign.pk, fight.ana, first.pk)
    assert encounters.begin(fight.campaign.pk, fight.ana, key) == first
    assert Encounter.objects.count() == 2


def test_deleting_a_character_or_a_campaign_deletes_its_turns_and_conditions(fight):
    combatant_conditions.add(
        fight.campaign.pk,
        fight.ana,
        new_key(),
        fight.named("Wolf 1").pk,
        name="Asleep",
        rounds=9,
        whose=fight.named("Mira").pk,
        at_end=False,
    )
    fight.until((2, "Wolf 1"))
    Character.objects.get(pk=fight.mira.pk).delete()
    assert fight.order == ["Wolf 1", "Wolf 2", "Nell"]
    assert fight.turn == (2, "Wolf 1")
    fight.campaign.delete()
    assert not Encounter.objects.exists()
    assert not Turn.objects.exists()
    assert Character.objects.filter(pk=fight.nell.pk).exists()


def test_a_turn_takes_as_many_queries_among_many_as_among_few(fight, client):
    """At most 45, because each request reads the same things again by prepared queries."""

    def queries():
        turns = []
        for _ in fight.everybody:
            saw = fight.encounter.steps
            with CaptureQueriesContext(connection) as captured:
                answer = client.post(
                    f"{fight.campaign.get_absolute_url()}encounter/next/",
                    {"key": new_key(), "saw": saw},
                    headers={"HX-Request": "true"},
                )
            assert answer.status_code == 200
            # Only PostgreSQL takes a query to tell the other processes.
            turns.append(sum("pg_notify" not in query["sql"] for query in captured))
        return max(turns)

    client.force_login(fight.ana.user)
    queries()
    few = queries()
    for at in range(4):
        seat = seats.bring(fight.campaign.pk, fight.bo, mira(fight.bo, name=f"Mira {at}", state=None).pk)
        combatants.bring_seat(fight.campaign.pk, fight.ana, new_key(), seat.pk)
    fight.wolves(6, name="Bear")
    queries()
    assert queries() == few
    assert few <= 45


def test_a_character_in_the_bin_is_not_offered_and_cannot_join(fight):
    late = mira(fight.bo, name="Quill", state=None)
    seat = seats.bring(fight.campaign.pk, fight.bo, late.pk)
    verbs.throw_away(late.pk, fight.bo, new_key())
    page = browser_of(fight.ana)
    assert "Quill" not in page.get(f"{fight.campaign.get_absolute_url()}encounter/").content.decode()
    with pytest.raises(Http404):
        combatants.bring_seat(fight.campaign.pk, fight.ana, new_key(), seat.pk)
