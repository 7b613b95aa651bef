"""The exact chances of one roll against every difficulty, as it is and with changed dice."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from rules.engine.build import Build
from rules.engine.bundle import Bundle
from rules.engine.sheet import Roll
from rules.games.dice_text import MOST_DICE

from .dice import SIDES, chance, chance_of_critical, ladder
from .play.pool import of_criticals
from .rolls import kind_of, stands


@dataclass(frozen=True, slots=True)
class OddsColumn:
    """One way to make the roll, with the chance of a critical success, 0 to 1."""

    name: str
    dice: int
    modifier: int
    critical: Fraction


@dataclass(frozen=True, slots=True)
class OddsRow:
    """One difficulty: the chance of success for each column, and the chance that the first column's total alone reaches
    it."""

    name: str
    target: int
    chances: tuple[Fraction, ...]
    by_total: Fraction


@dataclass(frozen=True, slots=True)
class Odds:
    columns: tuple[OddsColumn, ...]
    rows: tuple[OddsRow, ...]
    critical_succeeds: bool

    @property
    def apart(self) -> bool:
        """True if a critical can make the roll, as it is, succeed even though the total falls short."""
        return any(row.by_total != row.chances[0] for row in self.rows)


def chances(bundle: Bundle, switches: Mapping[str, str], roll: Roll) -> Odds:
    """Chances 0 to 1 of this roll against the eight difficulties (sections 2.2 to 2.5 and 23.2).

    Columns: as it is, with one Resolve die, with advantage, with disadvantage. A critical succeeds if the house rules
    say so (rulings 3 and 5).
    """
    word, succeeds = of_criticals(bundle, Build(switches=switches), kind_of(roll.key))
    on = SIDES if word == "sixesOnly" else roll.criticals_on
    pool = roll.criticals_from_pool

    def reach(dice: int, target: int, critical: bool) -> Fraction:
        return chance(
            dice, roll.modifier, target, criticals_on=on, criticals_from_pool=pool, critical_succeeds=critical
        )

    columns = tuple(
        OddsColumn(name, dice, roll.modifier, chance_of_critical(dice, on=roll.criticals_on, from_pool=pool))
        for name, dice in ways(roll)
    )
    rows = tuple(
        OddsRow(
            name,
            target,
            tuple(reach(column.dice, target, succeeds) for column in columns),
            reach(columns[0].dice, target, False),
        )
        for name, target in ladder(bundle)
    )
    return Odds(columns, rows, succeeds and any(column.critical for column in columns))


def ways(roll: Roll) -> tuple[tuple[str, int], ...]:
    """The dice of the roll as it is, with one Resolve die, with advantage and with disadvantage."""
    steps = [step for step in roll.because if step.part == "dice"]
    sides = {side: any(step.op == side and stands(step) for step in steps) for side in ("advantage", "disadvantage")}
    rest = sum(
        step.amount for step in steps if step.applied and step.op not in ("advantage", "disadvantage", "minimum")
    )

    def dice(advantage: bool, disadvantage: bool) -> int:
        return min(MOST_DICE, max(1, rest + advantage - disadvantage))

    return (
        ("Now", min(MOST_DICE, roll.dice)),
        ("One Resolve", min(MOST_DICE, roll.dice + 1)),
        ("Advantage", dice(True, sides["disadvantage"])),
        ("Disadvantage", dice(sides["advantage"], True)),
    )
