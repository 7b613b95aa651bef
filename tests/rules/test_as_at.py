"""A character as it was at a level, and the difference between two levels, for random characters."""

from dataclasses import replace

import pytest

from rules.engine import Decision, build_at_level, derive, difference, last_level, rested
from tests.support.heroes import blessed, by_chance, hero, row

pytestmark = pytest.mark.django_db
SEEDS = range(12)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_character_at_its_own_level_is_unchanged(core, seed):
    build = by_chance(core, seed)
    level = derive(core, build).level
    assert build_at_level(core, build, level) is build
    assert last_level(core, build) == level


@pytest.mark.parametrize("seed", SEEDS)
def test_every_earlier_level_is_complete_and_has_no_later_decision(core, seed):
    build = by_chance(core, seed)
    for level in range(1, last_level(core, build)):
        before = build_at_level(core, build, level)
        sheet = derive(core, before)
        assert sheet.level == level
        assert sheet.picks.open == 0
        assert all(decision.level <= level for decision in before.decisions)
        assert build_at_level(core, before, level) == before


@pytest.mark.parametrize("seed", SEEDS)
def test_a_sheet_does_not_differ_from_itself(core, seed):
    build = by_chance(core, seed)
    assert difference(derive(core, build), derive(core, build)) == ()


@pytest.mark.parametrize("seed", SEEDS)
def test_every_difference_from_one_level_to_the_next_is_explained(core, seed):
    build = by_chance(core, seed)
    for level in range(2, last_level(core, build) + 1):
        before, after = (derive(core, rested(build_at_level(core, build, at))) for at in (level - 1, level))
        for move in difference(before, after):
            if move.kind == "feature":
                assert move.after, "no level takes a feature away"
                assert after.active[move.key].level == level
            elif move.kind == "value":
                moved = sum(step.amount for step in move.why) - sum(step.amount for step in move.gone)
                assert int(move.after) - int(move.before) == moved, move


@pytest.mark.parametrize("seed", SEEDS)
def test_the_difference_backwards_is_the_difference_reversed(core, seed):
    build = by_chance(core, seed, level=6)
    low, high = derive(core, rested(build_at_level(core, build, 3))), derive(core, rested(build))
    there = {(m.kind, m.key, m.before, m.after, m.why, m.gone) for m in difference(low, high)}
    back = {(m.kind, m.key, m.after, m.before, m.gone, m.why) for m in difference(high, low)}
    assert there == back


def test_of_two_equal_rows_the_second_is_a_reason_too(core):
    """An author may add the same row twice, or two things may bring equal ones."""
    build, more = by_chance(core, 1), row("check", "bonus", 1)
    once, twice = (derive(*blessed(core, build, *rows)) for rows in ([more], [more, more]))
    for before, after, side in ((once, twice, "why"), (twice, once, "gone")):
        (move,) = [one for one in difference(before, after) if one.key == "skill.stealth"]
        assert [step.amount for step in getattr(move, side)] == [1]


@pytest.mark.parametrize(
    ("aspect", "amount", "words"),
    [("criticals_on", 5, ", critical on 5"), ("criticals_from_pool", 2, ", critical with 2D")],
)
@pytest.mark.parametrize(("kind", "key"), [("check", "skill.stealth"), ("attack", "unarmed-strike.unarmed")])
def test_a_roll_that_is_more_often_critical_differs(core, kind, key, aspect, amount, words):
    build = by_chance(core, 1, level=1)
    plain, keen = derive(core, build), derive(*blessed(core, build, row(kind, aspect, amount)))
    (move,) = [one for one in difference(plain, keen) if one.key == key]
    (back,) = [one for one in difference(keen, plain) if one.key == key]
    assert (move.after, [step.source for step in move.why]) == (move.before + words, ["Blessing"])
    assert (move.worse, back.worse) == (False, True)


def test_an_action_that_rolls_more_differs(core):
    """Second Wind heals by the rank of the fighter, and nothing else on the sheet says so."""
    young, old = (derive(core, hero(level=level)) for level in (1, 2))
    (move,) = [one for one in difference(young, old) if one.kind == "action"]
    (back,) = [one for one in difference(old, young) if one.kind == "action"]
    assert (move.name, move.before, move.after, move.worse) == ("Second Wind", "2D+2", "2D+4", False)
    assert [[step.amount for step in steps] for steps in (move.gone, move.why)] == [[2], [4]]
    assert (back.before, back.after, back.worse) == ("2D+4", "2D+2", True)


def test_a_future_level_follows_the_plan(core):
    build = by_chance(core, 1, level=3)
    planned = replace(build, plan=(Decision("core-rules.level-abilities", 4, stat="rank.spirit", points=2),))
    ahead = derive(core, build_at_level(core, planned, 4))
    assert last_level(core, planned) == 4
    assert ahead.level == 4
    assert ahead.picks.open == 0
    assert ahead.value("rank.spirit") == derive(core, planned).value("rank.spirit") + 2


def test_under_milestones_the_storyteller_sets_the_level(core):
    build = replace(by_chance(core, 2, level=8), xp=0, milestone=8, switches={"advancement": "milestone"})
    assert [derive(core, build_at_level(core, build, level)).level for level in (1, 5, 8)] == [1, 5, 8]


def test_levels_that_experience_no_longer_covers_can_still_be_looked_at(core):
    build = replace(by_chance(core, 3, level=7), xp=2000)
    assert last_level(core, build) == 7
    ahead = derive(core, build_at_level(core, build, 7))
    assert ahead.level == 7
    assert ahead.picks.open == 0


def test_a_rested_character_has_full_health_and_no_conditions(core):
    build = replace(by_chance(core, 4, level=5), spent={"health": 9, "wounds": 2}, toggles=frozenset({"prone"}))
    sheet = derive(core, rested(build))
    assert sheet.resources["health"].spent == 0
    assert sheet.conditions == {}
