"""Numbers as people read them: a true minus sign, dice as 3D+4, each statistic in its own format."""

from collections.abc import Mapping
from fractions import Fraction

from rules.engine.bundle import Bundle
from rules.engine.content import Stat
from rules.engine.phrases import number as plain
from rules.engine.phrases import signed
from rules.engine.sheet import Roll

LADDER = "die-ladder"  # the lookup table with the steps of `die_step`, by their labels


def pool(number: int, modifier: int) -> str:
    """A roll as the rules write it: `3D+4`, `2D+0`."""
    return f"{plain(number)}D{signed(modifier)}"


def of_roll(roll: Roll) -> str:
    """A roll as its game writes it."""
    return roll.words or pool(roll.dice, roll.modifier)


def of_stat(stat: Stat | None, number: int, bundle: Bundle) -> str:
    """`number` in the format of this statistic: 30 ft, +2, yes, 3D, D8."""
    match stat.format if stat else "number":
        case "signed":
            return signed(number)
        case "feet":
            return f"{plain(number)} ft"
        case "flag":
            return "yes" if number else "no"
        case "dice":
            return f"{plain(number)}D"
        case "die_step":
            return step_of(bundle.lookup_labels.get(LADDER, {}), number)
        case _:
            return plain(number)


def step_of(steps: Mapping[int, str], number: int) -> str:
    """The name of a step; beyond either end of the ladder, that of the last one and how far beyond: `D60 +2`."""
    if not steps:
        return plain(number)
    held = max(min(steps), min(number, max(steps)))
    return f"{steps.get(held, plain(held))} {signed(number - held)}".removesuffix(" +0")


def mean(number: Fraction) -> str:
    """An average with at most two decimals: 7.5."""
    return f"{float(number):.2f}".rstrip("0").rstrip(".")


def percent(chance: Fraction) -> str:
    """An exact chance with two decimals. Only a chance of exactly 0 or 100 is shown as that."""
    hundredths = round(chance * 10_000)
    if 0 < chance < 1:
        hundredths = min(9_999, max(1, hundredths))
    return f"{hundredths // 100}.{hundredths % 100:02}%"
