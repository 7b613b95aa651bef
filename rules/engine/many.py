"""The chances of several independent rolls together."""

from collections.abc import Sequence
from fractions import Fraction


def at_least(chances: Sequence[Fraction], many: int) -> Fraction:
    """The exact chance, 0 to 1, that at least this many of the rolls with these chances succeed; 1 for none or
    fewer."""
    exactly = [Fraction(1)]  # the chance of each number of successes among the rolls so far
    for chance in chances:
        fail = [*(number * (1 - chance) for number in exactly), Fraction(0)]
        succeed = [Fraction(0), *(number * chance for number in exactly)]
        exactly = [a + b for a, b in zip(fail, succeed, strict=True)]
    return sum(exactly[max(0, many) :], Fraction(0))
