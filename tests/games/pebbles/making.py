"""A random character. The game has no ranks, nothing to buy or to carry, and no spells."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from random import Random

from rules.engine.build import Build, Item, Spell
from rules.engine.bundle import Bundle
from rules.engine.content import Element, Ref
from rules.engine.random_answers import OwnWords
from rules.engine.sheet import Sheet
from rules.games.contract import Offer

NO_RANKS = "Pebbles has no ranks."
OWN_WORDS: OwnWords = {}
LEVEL_WORDS: OwnWords = {}
CLASSES: tuple[str, ...] = ("",)
ATTACKS: tuple[str, ...] = ()
TERMS: tuple[str, ...] = ()


def with_ranks(bundle: Bundle, build: Build, chance: Random) -> Build:
    return build


def with_aspects(bundle: Bundle, build: Build, chance: Random) -> Build:
    return build


def with_outfit(bundle: Bundle, build: Build, sheet: Sheet, chance: Random) -> Build:
    return build


def with_the_rest(bundle: Bundle, build: Build, sheet: Sheet, chance: Random) -> Build:
    return replace(build, name=chance.choice(("Pim", "Nub", "Otto")))


def rank_stats(bundle: Bundle) -> Mapping[str, Ref]:
    return {}


def methods_allowed(bundle: Bundle, build: Build) -> list[str]:
    return []


def budget(bundle: Bundle, build: Build) -> int:
    return 0


def lowest(bundle: Bundle, build: Build) -> int:
    return 0


def highest(bundle: Bundle, build: Build) -> int:
    return 0


def cost(bundle: Bundle, rank: int) -> int:
    raise ValueError(NO_RANKS)


def total_cost(bundle: Bundle, ranks: Sequence[int]) -> int:
    raise ValueError(NO_RANKS)


def array(bundle: Bundle) -> list[int]:
    return []


def result(faces: Sequence[int]) -> int:
    return 0


def left_out(faces: Sequence[int]) -> tuple[int, ...]:
    return ()


def rank_problems(bundle: Bundle, build: Build) -> list[str]:
    return [NO_RANKS] if build.inputs else []


def roll(chance: Random) -> tuple[tuple[int, ...], ...]:
    return ()


def results(faces: Sequence[Sequence[int]]) -> list[int]:
    return []


def may_roll_again(bundle: Bundle, build: Build) -> bool:
    return False


def refused(bundle: Bundle, build: Build) -> str:
    return NO_RANKS


def at_table(bundle: Bundle, build: Build) -> str:
    return ""


def for_sale(bundle: Bundle) -> list[Element]:
    return []


def offer(bundle: Bundle, build: Build, sheet: Sheet, element: Element, quantity: int = 1) -> Offer:
    return Offer(False, "Nothing is for sale.")


def offered(element: Element | None) -> tuple[str, ...]:
    return ()


def of_use(element: Element | None) -> tuple[str, ...]:
    return ()


def unused(bundle: Bundle, items: Sequence[Item]) -> Iterable[Item]:
    return ()


def unfit(element: Element | None, place: str) -> str:
    return ""


def in_the_way(element: Element | None, place: str, other: Element | None, other_place: str) -> bool:
    return False


def has_magic(bundle: Bundle, build: Build) -> bool:
    return False


def in_words(bundle: Bundle, spell: Spell) -> str:
    return ""


def unfit_parts(bundle: Bundle, spell: Spell) -> Iterable[tuple[str, str]]:
    return ()
