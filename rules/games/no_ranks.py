"""The `Creation` and the `Rolling` of a game without ability ranks."""

from collections.abc import Mapping, Sequence
from random import Random

from rules.engine.build import Build
from rules.engine.bundle import Bundle
from rules.engine.content import Ref
from rules.engine.sheet import Problem

NAME = "Ability ranks"
RANK, HAS, CHOSEN = "rank", "has", "assigned"
SENTENCE = "This game has no ability ranks."
TERMS: tuple[str, ...] = ()
METHODS: Mapping[str, str] = {}
LOWEST = 0
MANUAL = range(0)


def rank_stats(bundle: Bundle) -> Mapping[str, Ref]:
    return {}


def methods_allowed(bundle: Bundle, build: Build) -> list[str]:
    return []


def budget(bundle: Bundle, build: Build) -> int:
    return 0


def highest(bundle: Bundle, build: Build) -> int:
    return 0


def cost(bundle: Bundle, rank: int) -> int:
    raise ValueError(SENTENCE)


def total_cost(bundle: Bundle, ranks: Sequence[int]) -> int:
    raise ValueError(SENTENCE)


def array(bundle: Bundle) -> list[int]:
    return []


def result(faces: Sequence[int]) -> int:
    return 0


def left_out(faces: Sequence[int]) -> tuple[int, ...]:
    return ()


def rank_problems(bundle: Bundle, build: Build) -> list[Problem]:
    return [Problem("", SENTENCE)] if build.inputs else []


def roll(chance: Random) -> tuple[tuple[int, ...], ...]:
    return ()


def results(faces: Sequence[Sequence[int]]) -> list[int]:
    return []


def may_roll_again(bundle: Bundle, build: Build) -> bool:
    return False


def refused(bundle: Bundle, build: Build) -> str:
    return SENTENCE


def at_table(bundle: Bundle, build: Build) -> str:
    return ""
