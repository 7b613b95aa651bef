"""Turns go in the order that the table sets, and nothing happens when a turn begins."""

from collections.abc import Mapping, Sequence

from rules.engine.build import Build
from rules.engine.bundle import Bundle
from rules.engine.sheet import Sheet

INITIATIVE = ORDER = ""
ROLLS_IT: tuple[str, Mapping[str, str]] = ("", {})
TURN = ""
HIT = HEAL = ""
VITAL, GUARD = "Pebbles", ""
DIE = 6
CREATURE = ""
EXAMPLE = "Splash 2d6"
AVERAGE = 0


def guard(sheet: Sheet) -> str:
    return ""


def place(sheet: Sheet) -> None:
    return None


def tie(bundle: Bundle, build: Build, sheet: Sheet) -> int:
    return AVERAGE


def is_critical(faces: Sequence[int], die: int) -> bool:
    return False


def in_words(left: int, most: int) -> str:
    return "Some left" if left else "None left"
