"""Distances other than the movement in a turn: travel, and the spaces that a character's size lets it through.

Sections 10, 21.5, 27.9, 27.10 and 27.12, rulings 77, 78 and 86.
"""

from dataclasses import dataclass
from fractions import Fraction

from rules.engine.build import Build
from rules.engine.bundle import Bundle
from rules.engine.sheet import Sheet
from rules.games.house_rules import setting, switched_on
from rules.games.outcome import counted

from .play.turn import COST, SPEED

A_MILE_AN_HOUR, A_MILE_A_DAY = 880, 110  # feet in ten minutes; a day has eight hours of travel
PACES = "travel"  # the table of feet in ten minutes, by pace
WHOLE_ZONE, SQUARE, DIAGONAL = 25, 5, "5-10-5"  # feet, feet, a house rule's value
APART = 2  # categories of size


@dataclass(frozen=True, slots=True)
class Pace:
    """Travel on foot: feet in ten minutes, miles in an hour and in a day."""

    name: str
    feet: Fraction

    @property
    def hour(self) -> Fraction:
        return self.feet / A_MILE_AN_HOUR

    @property
    def day(self) -> Fraction:
        return self.feet / A_MILE_A_DAY


def paces(bundle: Bundle, build: Build, sheet: Sheet) -> tuple[Pace, ...]:
    """Every pace in the rules, slowest first (section 21.5). Scaled by speed / 30 ft if the house rules say so, and
    halved while each foot costs two (ruling 86)."""
    speed = sheet.value(SPEED) if switched_on(bundle, build, "scaleTravelBySpeed") else 30
    cost = max(1, sheet.value(COST))
    return tuple(
        Pace(name, Fraction(bundle.lookups[PACES][number] * speed, 30 * cost))
        for number, name in sorted(bundle.lookup_labels.get(PACES, {}).items())
    )


def may_pass(bundle: Bundle, sheet: Sheet) -> tuple[str, ...]:
    """The sizes of hostile creatures whose space the character may move through: those two or more categories larger or
    smaller (section 27.9)."""
    own = sheet.value("size")
    return tuple(size.name for at, size in enumerate(bundle.of_kind("size")) if abs(at - own) >= APART)


def squeezes(bundle: Bundle, sheet: Sheet) -> str:
    """The size of creature for whom a gap is just wide enough that this character can squeeze through it: one size
    smaller (section 27.10). "" for the smallest size."""
    sizes, own = bundle.of_kind("size"), sheet.value("size")
    return sizes[min(own, len(sizes)) - 1].name if own > 0 else ""


def on_the_map(bundle: Bundle, build: Build, sheet: Sheet) -> str:
    """This turn's movement in words, on the kind of map that the table uses: half while each foot costs two (sections
    21.4 and 27.12)."""
    feet, kind = sheet.value("turn.movement") // max(1, sheet.value(COST)), setting(bundle, build, "battleMap")
    if kind == "zones":
        if feet < WHOLE_ZONE:
            return "Too slow to cross a zone: you can only move up to someone near you."
        across = sheet.value("zones")
        return "You may go anywhere in your zone" + (f", and {counted(across, 'zone')} further." if across else ".")
    if kind == "grid":
        across = sheet.value("squares")
        diagonal = " Every second diagonal counts as 2." if setting(bundle, build, "gridDiagonals") == DIAGONAL else ""
        return f"{counted(feet // SQUARE, 'square')} in all; you fill {across} × {across}.{diagonal}"
    return ""
