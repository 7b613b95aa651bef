"""The rows of active elements, by what they change."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from .content import Effect, Element
from .facts import Gathered, Node


@dataclass(eq=False, slots=True)
class ActiveEffect:
    """An effect of an active element, with the element's node. Compared by identity, so no two are equal."""

    effect: Effect
    node: Node


type Lists = dict[str, list[ActiveEffect]]
# Rows, each with the numbers printed for the item property it comes from.
type Printed = tuple[tuple[ActiveEffect, tuple[int, ...]], ...]


class ActiveEffects(NamedTuple):
    """The rows of all active elements, by what they change."""

    modify: dict[str, Lists]  # by statistic and operation
    roll: Lists
    notes: list[ActiveEffect]
    situations: set[str]  # slugs of their circumstances that a switch or the table decides


def collect(found: Gathered) -> ActiveEffects:
    """Every row of every active element, in a fixed order. Properties of items in hand are left out: they are read with
    the item."""
    rows = ActiveEffects({}, {}, [], situations_of(found))
    for ref in sorted(found.nodes):
        place(rows, found.nodes[ref], found.nodes[ref].element.effects)
    for element, carried, effects in worn_rows(found):
        place(rows, Node(carried, (element.name,), 1, None), effects)
    return rows


def worn_rows(found: Gathered) -> Iterator[tuple[Element, Element, list[Effect]]]:
    """Each property of each worn item: the item, the property, and its effects on the character itself."""
    for element in found.worn:
        for use in element.properties:
            carried = found.bundle.elements[use.property]
            yield element, carried, [one for one in carried.effects if not one.this_item_only]


def situations_of(found: Gathered) -> set[str]:
    asked = found.bundle.situations
    situations = {slug for ref in asked.keys() & found.nodes.keys() for slug in asked[ref]}
    for _, carried, effects in worn_rows(found):
        situations |= {effect.when for effect in effects} & asked.get(carried.ref, frozenset())
    return situations


def place(rows: ActiveEffects, node: Node, effects: Sequence[Effect]) -> None:
    modify, roll, notes, _ = rows
    for effect in effects:
        kind = effect.kind
        if kind == "modify":
            modify.setdefault(effect.stat, {}).setdefault(effect.op, []).append(ActiveEffect(effect, node))
        elif kind == "roll":
            roll.setdefault(effect.roll, []).append(ActiveEffect(effect, node))
        elif kind == "note":
            notes.append(ActiveEffect(effect, node))


def property_rows(found: Gathered, element: Element, roll: str) -> Printed:
    """The effects of an item and its properties on one kind of roll, each with the numbers printed on the item. Cached
    per bundle, because they depend on content alone."""
    known = found.bundle.memo.get((element.ref, roll))
    if known is None:
        rows: list[tuple[ActiveEffect, tuple[int, ...]]] = []
        for use in element.properties:
            carried = found.bundle.elements[use.property]
            numbers = use.numbers()
            rows += [(row, numbers) for row in rows_of(carried, roll, (element.name,))]
        rows += [(row, ()) for row in rows_of(element, roll, ())]
        known = found.bundle.memo[element.ref, roll] = tuple(rows)
    return known


def rows_of(element: Element, roll: str, path: tuple[str, ...]) -> list[ActiveEffect]:
    node = Node(element, path, 1, None)
    return [ActiveEffect(effect, node) for effect in element.effects if effect.kind == "roll" and effect.roll == roll]
