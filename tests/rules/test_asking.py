"""Rolls of several characters: group checks, contests, and the exact chances of a group."""

from fractions import Fraction
from itertools import product

import pytest

from rules.engine.many import at_least
from rules.games.outcome import Rolled
from rules.games.polyhedral import asking

# id: members, successes, whether the group succeeds (section 2.8, ruling 96)
GROUPS = {
    "DC-28": (3, 2, True),
    "DC-29": (3, 1, False),
    "DC-30": (4, 2, True),
    "DC-31": (5, 2, False),
}


@pytest.mark.parametrize("example", GROUPS)
def test_a_group_succeeds_if_at_least_half_of_it_does(example):
    members, successes, succeeds = GROUPS[example]
    assert (successes >= asking.needed(members)) == succeeds


@pytest.mark.parametrize("members", [1, 2])
def test_fewer_than_three_are_no_group(members):
    assert asking.needed(members) is None


def rolled(total, critical=False):
    return Rolled("check", "skill.athletics", "Athletics", (1, 1, 1), total, critical=critical)


# id: the totals, each with whether it is critical, and the place of the winner (section 2.9, ruling 3)
CONTESTS = {
    "DC-32": ([(14, False), (14, False)], None),
    "DC-33": ([(12, True), (19, False)], 0),
    "the higher": ([(12, False), (19, False)], 1),
    "three, one ahead": ([(12, False), (15, False), (14, False)], 1),
    "three, two ahead": ([(12, False), (15, False), (15, False)], None),
    "two criticals": ([(12, True), (19, True)], 1),
    "alone": ([(12, False)], None),
}


@pytest.mark.parametrize("example", CONTESTS)
def test_a_contest_is_won_by_a_critical_then_by_the_highest_total(example):
    totals, winner = CONTESTS[example]
    assert asking.winner([rolled(*one) for one in totals]) == winner


CHANCES = [Fraction(1, 2), Fraction(1, 3), Fraction(3, 4), Fraction(0), Fraction(1)]


@pytest.mark.parametrize("many", range(7))
def test_at_least_equals_the_count_over_all_outcomes(many):
    counted = Fraction(0)
    for ends in product((True, False), repeat=len(CHANCES)):
        chance = Fraction(1)
        for success, one in zip(ends, CHANCES, strict=True):
            chance *= one if success else 1 - one
        counted += chance * (sum(ends) >= many)
    assert at_least(CHANCES, many) == counted


def test_an_empty_group_has_zero_successes_for_sure():
    assert (at_least([], 0), at_least([], 1)) == (1, 0)
