"""Conditions with their sources and ends, rounds, and switched circumstances (section 30, rulings 84, 85 and 98)."""

import pytest

from characters.change.refusals import Refused
from characters.read.versions import read
from tests.characters.cast import refuses
from tests.characters.play.table import seated

pytestmark = pytest.mark.django_db


def test_two_sources_are_apart_and_count_once():
    seat = seated()
    seat.add_condition(condition="condition:poisoned", source="the wine")
    seat.add_condition(condition="condition:poisoned", source="a dart")
    assert seat.sheet.rolls["skill.athletics"].dice == 2
    change = seat.remove_condition(condition="condition:poisoned", source="the wine")
    assert change.sentence == "Mira is no longer poisoned by the wine."
    assert "poisoned" in seat.conditions
    seat.add_condition(condition="condition:poisoned", source="the wine")
    seat.remove_condition(condition="condition:poisoned")
    assert "poisoned" not in seat.conditions
    with pytest.raises(Refused, match="not poisoned"):
        seat.remove_condition(condition="condition:poisoned")


def test_the_reason_stands_in_the_explanation():
    seat = seated()
    seat.add_condition(condition="condition:exhausted")
    steps = seat.sheet.rolls["skill.athletics"].because
    assert any(step.source == "Exhausted" and step.applied for step in steps)


def test_a_condition_may_end_with_a_rest_or_after_rounds_whichever_comes_first():
    seat = seated()
    change = seat.add_condition(condition="condition:slowed", rounds=3, until="short-rest")
    assert change.sentence == "Mira is slowed for 3 rounds at most, until: short rest."
    (row,) = read(seat.fresh).table.held
    assert row.ends == "3 rounds left, until: short rest"
    seat.begin_rest(rest="short-rest")
    seat.finish_rest()
    assert "slowed" not in seat.conditions


def test_rounds_tick_down():
    seat = seated()
    change = seat.add_condition(condition="condition:slowed", source="ice", rounds=2)
    assert change.sentence == "Mira is slowed by ice for 2 rounds."
    seat.next_round()
    assert "slowed" in seat.conditions
    change = seat.next_round()
    assert "slowed" not in seat.conditions
    assert "Slowed ends" in change.sentence


def test_undoing_a_round_brings_back_what_ended():
    seat = seated()
    seat.add_condition(condition="condition:slowed", rounds=1)
    ended = seat.next_round()
    seat.undo(ended)
    assert "slowed" in seat.conditions


def test_the_same_again_replaces_its_end():
    seat = seated()
    seat.add_condition(condition="condition:slowed", rounds=2)
    seat.add_condition(condition="condition:slowed", rounds=5)
    assert seat.facts["condition:condition:slowed|"]["rounds"] == 5
    with pytest.raises(Refused, match="already"):
        seat.add_condition(condition="condition:slowed", rounds=5)


@pytest.mark.parametrize("ref", ["condition:wounded", "condition:sleepy", "skill:stealth", "", None])
def test_what_is_no_condition(ref):
    with refuses("condition"):
        seated().add_condition(condition=ref)


@pytest.mark.parametrize("what", [{"rounds": -1}, {"rounds": 1001}, {"stacks": 2}, {"source": "x" * 121}])
def test_bounds(what):
    with refuses(*what):
        seated().add_condition(condition="condition:prone", **what)


@pytest.mark.parametrize("slug", ["dying", "stable"])
def test_a_file_that_says_dying_with_health_left_is_put_right_by_any_change_of_health(slug):
    seat = seated(level=2, state={"conditions": [{"condition": slug}]})
    assert "unconscious" in seat.conditions
    seat.adjust(resource="health", amount="-1")
    assert seat.conditions == {"prone"}


def test_states_of_the_body_follow_from_numbers():
    seat = seated(level=2)
    for slug in ("dying", "stable"):
        with pytest.raises(Refused, match="Health decides this"):
            seat.add_condition(condition=f"condition:{slug}")
    seat.add_condition(condition="condition:dead")
    assert "dead" in seat.conditions
    change = seat.remove_condition(condition="condition:dead")
    assert change.sentence == "Mira is alive again."
    seat.adjust(resource="wounds", amount="+10")
    with pytest.raises(Refused, match="Remove one first"):
        seat.remove_condition(condition="condition:dead")


def test_implied_ones_are_in_force():
    seat = seated()
    seat.add_condition(condition="condition:paralyzed")
    assert "incapacitated" in seat.conditions
    seat.remove_condition(condition="condition:paralyzed")
    assert "incapacitated" not in seat.conditions


def test_ac_16_defending_is_lost_when_slowed():
    seat = seated()
    seat.add_condition(condition="condition:defending", rounds=1)
    assert seat.sheet.rolls["against"].dice == 2
    seat.add_condition(condition="condition:slowed")
    assert seat.sheet.rolls["against"].dice == 3
    seat.next_round()
    assert "defending" not in seat.conditions


@pytest.mark.parametrize(("slug", "turns"), [("defending", 1), ("surprised", 2)])
def test_what_lasts_for_so_many_turns_by_itself(slug, turns):
    seat = seated()
    seat.add_condition(condition=f"condition:{slug}")
    for _ in range(turns):
        assert slug in seat.conditions
        seat.next_round()
    assert slug not in seat.conditions
    seat.add_condition(condition=f"condition:{slug}", until="the bell")
    for _ in range(3):
        seat.next_round()
    assert slug in seat.conditions


def test_cover_and_light_are_switched():
    seat = seated()
    defense = seat.sheet.value("defense")
    change = seat.toggle(switch="+half-cover")
    assert seat.sheet.value("defense") == defense + 2
    assert change.sentence == "Mira: behind half cover, yes."
    seat.toggle(switch="+dim-light")
    assert seat.sheet.rolls["skill.awareness"].dice == 2
    seat.toggle(switch="-half-cover")
    assert seat.sheet.value("defense") == defense


def on(seat):
    return {fact.removeprefix("toggle:") for fact in seat.facts if fact.startswith("toggle:")}


def test_what_contradicts_a_switch_goes_off_with_it():
    seat = seated()
    defense = seat.sheet.value("defense")
    seat.toggle(switch="+dim-light")
    seat.toggle(switch="+half-cover")
    change = seat.toggle(switch="+three-quarters-cover")
    assert change.sentence == "Mira: behind three-quarters cover, yes; behind half cover, no longer."
    assert on(seat) == {"dim-light", "three-quarters-cover"}
    assert seat.sheet.value("defense") == defense + 5
    seat.undo(change)
    assert on(seat) == {"dim-light", "half-cover"}


@pytest.mark.parametrize(("near", "dice"), [(True, 4), (False, 3)], ids=["CN-05", "CN-06"])
def test_attacks_on_the_unconscious(near, dice):
    seat = seated()
    seat.add_condition(condition="condition:unconscious")
    seat.toggle(switch="+" + ("attacker-within-5" if near else "attacker-beyond-5"))
    assert seat.sheet.rolls["against"].dice == dice


@pytest.mark.parametrize("slug", ["without-armor", "nonsense"])
def test_what_cannot_be_switched(slug):
    with pytest.raises(Refused, match="There is no such circumstance to switch"):
        seated().toggle(switch=f"+{slug}")


@pytest.mark.parametrize("slug", ["stunned", "slowed", "restrained"])
def test_ac_16_a_guard_comes_down_for_good(slug):
    seat = seated()
    seat.add_condition(condition="condition:defending")
    assert seat.sheet.rolls["against"].dice == 2
    change = seat.add_condition(condition=f"condition:{slug}")
    assert change.sentence.endswith(" No longer defending.")
    before = seat.conditions
    assert "defending" not in before
    seat.remove_condition(condition=f"condition:{slug}")
    assert seat.sheet.rolls["against"].dice == 3
    seat.undo(seat.fresh.changes.first())
    seat.undo(change)
    assert (seat.sheet.rolls["against"].dice, seat.conditions) == (2, {"defending"})


def test_no_guard_is_taken_up_where_none_can_be():
    seat = seated(state={"conditions": [{"condition": "slowed"}]})
    seat.add_condition(condition="condition:defending")
    assert "defending" not in seat.conditions


def test_what_one_is_immune_to_does_not_begin():
    seat = seated()
    seat.add_condition(condition="condition:petrified")
    with pytest.raises(Refused, match="Mira cannot be poisoned: Petrified."):
        seat.add_condition(condition="condition:poisoned")
    assert "poisoned" not in seat.conditions


def test_what_ends_with_the_turn_does_not_last_by_its_rounds():
    seat = seated()
    seat.add_condition(condition="condition:slowed", until="turn", rounds=3)
    change = seat.next_round()
    assert "slowed" not in seat.conditions
    assert "more round" not in change.sentence
