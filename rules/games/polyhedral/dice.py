"""The math of a pool of six-sided dice: criticals and exact chances (sections 2.3 to 2.10)."""

from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from math import comb

from rules.engine.bundle import Bundle
from rules.games.dice_text import MOST_DICE

SIDES = 6


def is_critical(faces: Iterable[int], *, on: int = 6, from_pool: int = 3) -> bool:
    """True if a roll is a critical success: two dice at or over `on`, in a pool of `from_pool` or more. Section 2.5."""
    rolled = list(faces)
    return len(rolled) >= from_pool and sum(face >= on for face in rolled) >= 2


@cache
def distribution(dice: int, on: int) -> dict[tuple[int, int], int]:
    """The number of rolls, of 6^dice equally likely ones, with each (sum, dice at or over `on`), where 2 means two or
    more.

    dice: 0 to MOST_DICE. The pool grows die by die, so the cost is dice^2, not 6^dice.
    """
    if not 0 <= dice <= MOST_DICE:
        raise ValueError(f"A pool has between 0 and {MOST_DICE} dice.")
    table = {(0, 0): 1}
    for _ in range(dice):
        grown: dict[tuple[int, int], int] = {}
        for (total, high), ways in table.items():
            for face in range(1, SIDES + 1):
                key = (total + face, min(2, high + (face >= on)))
                grown[key] = grown.get(key, 0) + ways
        table = grown
    return table


def chance(
    dice: int,
    modifier: int,
    target: int,
    *,
    criticals_on: int = 6,
    criticals_from_pool: int = 3,
    critical_succeeds: bool = False,
) -> Fraction:
    """The exact chance, 0 to 1, that `dice` dice plus `modifier` reach `target` (section 2.10).

    critical_succeeds: a critical below the target also counts as a success (ruling 3). The printed odds do not count
    it.
    """
    counts_criticals = critical_succeeds and dice >= criticals_from_pool
    ways = sum(
        number
        for (total, high), number in distribution(dice, criticals_on).items()
        if total + modifier >= target or (counts_criticals and high == 2)
    )
    return Fraction(ways, SIDES**dice)


def chance_of_critical(dice: int, *, on: int, from_pool: int) -> Fraction:
    """The exact chance of a critical success: two or more dice at or over `on`. Section 2.5."""
    if dice < from_pool or dice < 2:
        return Fraction(0)
    high = SIDES + 1 - on
    low = SIDES - high
    fewer = sum(comb(dice, k) * high**k * low ** (dice - k) for k in (0, 1))
    return 1 - Fraction(fewer, SIDES**dice)


def opposed(mine: int, theirs: int, *, my_critical: bool = False, their_critical: bool = False) -> int:
    """1 if my check wins, −1 if theirs does, 0 for a tie, which changes nothing (section 2.9, ruling 3)."""
    if my_critical != their_critical:
        return 1 if my_critical else -1
    return (mine > theirs) - (mine < theirs)


def ladder(bundle: Bundle) -> list[tuple[str, int]]:
    """The ladder of difficulties as (name, target), easiest first (section 2.4)."""
    names = bundle.lookup_labels.get("difficulty", {})
    return [
        (names.get(step, str(step)), target) for step, target in sorted(bundle.lookups.get("difficulty", {}).items())
    ]
