"""Scenes that are played turn by turn (sections 21 and 27, rulings 70 and 71)."""

from collections.abc import Mapping, Sequence

from rules.engine.build import Build
from rules.engine.bundle import Bundle
from rules.engine.sheet import Sheet
from rules.games.house_rules import setting

from . import dice
from .play import ability_checks

INITIATIVE = ability_checks.INITIATIVE
ORDER = "initiative"
ROLLS_IT: tuple[str, Mapping[str, str]] = ("roll", {"roll": INITIATIVE})
TURN = "next_round"
HIT, HEAL = "take_damage", "heal"
VITAL, GUARD = "Health", "Defense"
DIE = dice.SIDES
CREATURE = "3D"
EXAMPLE = "Bite 3D+4"
AVERAGE = 10  # in place of a creature's Agility rank, which is not known
BEFORE_ALL_OTHERS = 1_000


def guard(sheet: Sheet) -> str:
    return str(sheet.value("defense"))


def place(sheet: Sheet) -> None:
    return None


def tie(bundle: Bundle, build: Build, sheet: Sheet) -> int:
    """The Agility rank or, as the house rule says, a number that puts players first, or the same number for all, so
    that the storyteller decides."""
    rank = sheet.value("rank.agility")
    match setting(bundle, build, "initiativeTies"):
        case "pcsFirst":
            return BEFORE_ALL_OTHERS + rank
        case "manual":
            return AVERAGE
        case _:
            return rank


def is_critical(faces: Sequence[int], die: int) -> bool:
    return die == DIE and dice.is_critical(faces)


def in_words(left: int, most: int) -> str:
    if not left:
        return "Down"
    if left == most:
        return "Unhurt"
    return "Hurt" if 2 * left > most else "Badly hurt"
