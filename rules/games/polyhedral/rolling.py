"""Rolling for ability ranks: four dice, seven times, kept as rolled (section 5.1, ruling 24)."""

from collections.abc import Sequence
from random import Random

from rules.engine.build import Build
from rules.engine.bundle import Bundle
from rules.games.contract import EACH, SHARED
from rules.games.house_rules import setting, switched_on

from .creation import FACES_ROLLED, SETS, methods_allowed, result


def roll(chance: Random) -> tuple[tuple[int, ...], ...]:
    """Seven times four faces."""
    return tuple(tuple(chance.randint(1, 6) for _ in range(FACES_ROLLED)) for _ in range(SETS))


def results(faces: Sequence[Sequence[int]]) -> list[int]:
    """The result of each set of four faces, highest first."""
    return sorted((result(four) for four in faces), reverse=True)


def may_roll_again(bundle: Bundle, build: Build) -> bool:
    """True if the house rules let a player discard a roll."""
    return switched_on(bundle, build, "allowReroll")


def refused(bundle: Bundle, build: Build) -> str:
    """The reason why this character cannot roll now, as a sentence; "" if it can."""
    if "rolled" not in methods_allowed(bundle, build):
        return "The house rules do not allow rolling for ability ranks."
    if build.dice and not may_roll_again(bundle, build):
        return "You have rolled already. The results stand."
    return ""


def at_table(bundle: Bundle, build: Build) -> str:
    """EACH or SHARED, by the house rule; "" for any other method. In the printed variant, the group rolls one set, and
    each player assigns its results (section 5.1)."""
    return {"roll": EACH, "rollShared": SHARED}.get(setting(bundle, build, "abilityMethod"), "")
