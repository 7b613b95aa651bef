"""Conditions with their sources and ends, rounds, and switched circumstances (section 30, rulings 84, 85 and 98)."""

import pytest

from characters.change.refusals import Refused
from characters.read.versions import read
from tests.characters.cast import refuses
from tests.characters.play.table import seated

pytestmark = pytest.mark.django_db


def test_a_condition_from_two_sources_is_kept_twice_and_counts_once(seat):
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


@pytest.mark.parametrize("source", ["Bo \u202e of the Vale", "a  dart"])
def test_a_source_as_no_form_would_store_it_can_be_ended(source):
    """From a file, or from before the site dropped such marks."""
    seat = seated(state={"conditions": [{"condition": "poisoned", "source": source}]})
    seat.remove_condition(condition="condition:poisoned", source=source)
    assert "poisoned" not in seat.conditions


def test_the_explanation_of_a_roll_names_the_condition(seat):
    seat.add_condition(condition="condition:exhausted")
    steps = seat.sheet.rolls["skill.athletics"].because
    assert any(step.source == "Exhausted" and step.applied for step in steps)


def test_a_condition_may_end_with_a_rest_or_after_rounds_whichever_comes_first(seat):
    change = seat.add_condition(condition="condition:slowed", rounds=3, until="short-rest")
    assert change.sentence == "Mira is slowed for 3 rounds at most, until a short rest."
    (row,) = read(seat.fresh).table.held
    assert row.ends == "3 rounds left, until a short rest"
    seat.begin_rest(rest="short-rest")
    seat.finish_rest()
    assert "slowed" not in seat.conditions


def test_a_condition_ends_after_its_rounds(seat):
    change = seat.add_condition(condition="condition:slowed", source="ice", rounds=2)
    assert change.sentence == "Mira is slowed by ice for 2 rounds."
    seat.next_round()
    assert "slowed" in seat.conditions
    change = seat.next_round()
    assert "slowed" not in seat.conditions
    assert "Slowed ends" in change.sentence


def test_undoing_a_round_restores_the_condition_that_it_ended(seat):
    seat.add_condition(condition="condition:slowed", rounds=1)
    ended = seat.next_round()
    seat.undo(ended)
    assert "slowed" in seat.conditions


def test_adding_a_condition_again_replaces_its_end(seat):
    seat.add_condition(condition="condition:slowed", rounds=2)
    seat.add_condition(condition="condition:slowed", rounds=5)
    assert seat.facts["condition:condition:slowed|"]["rounds"] == 5
    with pytest.raises(Refused, match="already"):
        seat.add_condition(condition="condition:slowed", rounds=5)


@pytest.mark.parametrize("ref", ["condition:wounded", "condition:sleepy", "skill:stealth", "", None])
def test_a_condition_that_cannot_be_added_is_refused(ref):
    with refuses("condition"):
        seated().add_condition(condition=ref)


@pytest.mark.parametrize("what", [{"rounds": -1}, {"rounds": 1001}, {"stacks": 2}, {"source": "x" * 121}])
def test_rounds_stacks_and_sources_out_of_bounds_are_refused(what):
    with refuses(*what):
        seated().add_condition(condition="condition:prone", **what)


@pytest.mark.parametrize("slug", ["dying", "stable"])
def test_a_change_of_health_corrects_a_file_that_says_dying_or_stable_with_health_left(slug):
    seat = seated(level=2, state={"conditions": [{"condition": slug}]})
    assert "unconscious" in seat.conditions
    seat.adjust(resource="health", amount="-1")
    assert seat.conditions == {"prone"}


def test_health_decides_dying_and_stable_and_ten_wounds_keep_a_character_dead():
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


def test_implied_conditions_are_in_force(seat):
    seat.add_condition(condition="condition:paralyzed")
    assert "incapacitated" in seat.conditions
    seat.remove_condition(condition="condition:paralyzed")
    assert "incapacitated" not in seat.conditions


def test_ac_16_defending_is_lost_when_slowed(seat):
    seat.add_condition(condition="condition:defending", rounds=1)
    assert seat.sheet.rolls["against"].dice == 2
    seat.add_condition(condition="condition:slowed")
    assert seat.sheet.rolls["against"].dice == 3
    seat.next_round()
    assert "defending" not in seat.conditions


@pytest.mark.parametrize(("slug", "turns"), [("defending", 1), ("surprised", 2)])
def test_defending_and_surprised_end_after_their_turns_unless_an_end_is_given(seat, slug, turns):
    seat.add_condition(condition=f"condition:{slug}")
    for _ in range(turns):
        assert slug in seat.conditions
        seat.next_round()
    assert slug not in seat.conditions
    seat.add_condition(condition=f"condition:{slug}", until="the bell")
    for _ in range(3):
        seat.next_round()
    assert slug in seat.conditions


def test_switching_cover_and_light_changes_defense_and_rolls(seat):
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


def test_switching_a_circumstance_on_turns_off_the_one_it_contradicts(seat):
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
def test_attacks_on_the_unconscious_have_one_die_more_from_close_by(seat, near, dice):
    seat.add_condition(condition="condition:unconscious")
    seat.toggle(switch="+" + ("attacker-within-5" if near else "attacker-beyond-5"))
    assert seat.sheet.rolls["against"].dice == dice


@pytest.mark.parametrize("slug", ["without-armor", "nonsense"])
def test_a_circumstance_that_cannot_be_switched_is_refused(slug):
    with pytest.raises(Refused, match="There is no such circumstance to switch"):
        seated().toggle(switch=f"+{slug}")


@pytest.mark.parametrize("slug", ["stunned", "slowed", "restrained"])
def test_ac_16_defending_stays_lost_after_the_condition_that_ended_it(seat, slug):
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


def test_a_slowed_character_cannot_begin_defending():
    seat = seated(state={"conditions": [{"condition": "slowed"}]})
    seat.add_condition(condition="condition:defending")
    assert "defending" not in seat.conditions


def test_a_condition_that_the_character_is_immune_to_is_refused(seat):
    seat.add_condition(condition="condition:petrified")
    with pytest.raises(Refused, match="Mira cannot be poisoned: Petrified."):
        seat.add_condition(condition="condition:poisoned")
    assert "poisoned" not in seat.conditions


def test_a_condition_that_ends_with_the_turn_ends_even_with_rounds_left(seat):
    seat.add_condition(condition="condition:slowed", until="turn", rounds=3)
    change = seat.next_round()
    assert "slowed" not in seat.conditions
    assert "more round" not in change.sentence


def test_conditions_of_one_name_are_told_apart_at_the_start_of_a_turn(seat):
    seat.add_condition(condition="condition:poisoned", source="the wine", rounds=1)
    seat.add_condition(condition="condition:poisoned", source="a spider", rounds=3)
    assert seat.next_round().sentence.endswith("Poisoned by the wine ends and Poisoned by a spider for 2 more rounds.")
    assert seat.next_round().sentence.endswith("Poisoned for 1 more round.")
