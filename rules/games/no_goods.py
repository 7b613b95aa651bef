"""The `Wealth` and the `Places` of a game in which nothing is for sale and no rule says where a thing may be."""

from collections.abc import Iterable, Sequence

from rules.engine.build import Build, Item
from rules.engine.bundle import Bundle
from rules.engine.content import Element
from rules.engine.sheet import Sheet

from .contract import Offer

CLASSES: tuple[str, ...] = ("",) * 6  # content may have a class anyway


def for_sale(bundle: Bundle) -> list[Element]:
    return []


def offer(bundle: Bundle, build: Build, sheet: Sheet, element: Element, quantity: int = 1) -> Offer:
    return Offer(False, "Nothing is for sale.")


def offered(element: Element | None) -> tuple[str, ...]:
    return ()


def unfit(element: Element | None, place: str) -> str:
    return ""


def in_the_way(element: Element | None, place: str, other: Element | None, other_place: str) -> bool:
    return False


def of_use(element: Element | None) -> tuple[str, ...]:
    return ()


def unused(bundle: Bundle, items: Sequence[Item]) -> Iterable[Item]:
    return ()
