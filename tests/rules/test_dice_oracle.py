"""The exact odds, compared with those of icepool, which works them out in its own way."""

from fractions import Fraction

import icepool
import pytest

from rules.games.polyhedral.dice import chance, chance_of_critical, distribution

POOLS = range(1, 9)


def oracle(dice, on):
    """Every (sum, dice at or over `on`) of a pool, as icepool counts it."""
    die = icepool.Die([icepool.Vector((face, int(face >= on))) for face in range(1, 7)])
    return {tuple(outcome): number for outcome, number in (dice @ die).items()}


@pytest.mark.parametrize("on", [4, 5, 6])
@pytest.mark.parametrize("dice", POOLS)
def test_the_distribution_equals_that_of_icepool(dice, on):
    told: dict = {}
    for (total, high), number in oracle(dice, on).items():
        key = (total, min(2, high))
        told[key] = told.get(key, 0) + number
    assert distribution(dice, on) == told


@pytest.mark.parametrize("on", [5, 6])
@pytest.mark.parametrize("dice", POOLS)
def test_the_chance_of_a_critical_equals_that_of_icepool(dice, on):
    highs = dice @ icepool.Die([int(face >= on) for face in range(1, 7)])
    assert chance_of_critical(dice, on=on, from_pool=3) == (highs.probability(">=", 2) if dice >= 3 else 0)


@pytest.mark.parametrize("modifier", [-3, 0, 5])
@pytest.mark.parametrize("dice", POOLS)
def test_the_chance_at_each_difficulty_equals_that_of_icepool(dice, modifier):
    total = dice @ icepool.d6 + modifier
    assert [chance(dice, modifier, target) for target in range(3, 31, 3)] == [
        total.probability(">=", target) for target in range(3, 31, 3)
    ]


def test_the_chance_if_a_critical_succeeds_by_itself_equals_that_of_icepool():
    pairs = oracle(3, 6).items()
    wanted = sum(number for (total, high), number in pairs if total >= 18 or high >= 2)
    assert chance(3, 0, 18, critical_succeeds=True) == Fraction(wanted, 6**3)


@pytest.mark.parametrize(("dice", "ways"), [(0, 1), (1, 6), (40, 6**40)])
def test_a_pool_has_up_to_forty_dice(dice, ways):
    assert sum(distribution(dice, 6).values()) == ways


@pytest.mark.parametrize("dice", [-1, 41])
def test_a_pool_of_fewer_than_zero_or_more_than_forty_dice_is_refused(dice):
    with pytest.raises(ValueError, match=r"^A pool has between 0 and 40 dice\.$"):
        distribution(dice, 6)
