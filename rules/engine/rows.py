"""The rows of what is active, sorted by what they touch."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from .content import Effect, Element, Ref
from .facts import Gathered, Node

# An effect of an active element, with the element's node. A bare pair: there are hundreds of them in every derive.
type Row = tuple[Effect, Node]
type Lists = dict[str, list[Row]]
# Rows with the numbers of the item's property that they came with.
type Printed = tuple[tuple[Row, tuple[int, ...]], ...]


class Rows(NamedTuple):
    """The rows of everything active, by what they touch."""

    modify: dict[str, Lists]  # by statistic and operation
    roll: Lists
    notes: list[Row]
    situations: set[str]  # what of their circumstances has a switch on the sheet, or is decided at the table


def collect(found: Gathered) -> Rows:
    """Every row of every active element, in a fixed order. Properties of items are read with the item instead."""
    rows = Rows({}, {}, [], situations_of(found))
    for ref in sorted(found.nodes):
        place(rows, found.nodes[ref], found.nodes[ref].element.effects)
    for element, carried, effects in worn_rows(found):
        place(rows, Node(carried, (element.name,), 1, None), effects)
    return rows


def worn_rows(found: Gathered) -> Iterator[tuple[Element, Element, list[Effect]]]:
    """What the properties of worn items bring to the character itself: item, property, effects."""
    for element in found.worn:
        for use in element.properties:
            carried = found.bundle.elements[use.property]
            yield element, carried, [one for one in carried.effects if not (one.this_item_only or one.kind == "note")]


def situations_of(found: Gathered) -> set[str]:
    asked = found.bundle.situations
    situations = {slug for ref in asked.keys() & found.nodes.keys() for slug in asked[ref]}
    for _, carried, effects in worn_rows(found):
        situations |= {effect.when for effect in effects} & asked.get(carried.ref, frozenset())
    return situations


def place(rows: Rows, node: Node, effects: Sequence[Effect]) -> None:
    modify, roll, notes, _ = rows
    for effect in effects:
        kind = effect.kind
        if kind == "modify":
            modify.setdefault(effect.stat, {}).setdefault(effect.op, []).append((effect, node))
        elif kind == "roll":
            roll.setdefault(effect.roll, []).append((effect, node))
        elif kind == "note":
            notes.append((effect, node))


def collected_after(rows: Rows, was: Gathered, found: Gathered) -> Rows:
    """What `collect` answers, made of the `rows` of `was`.

    Only lists that the rows of some node have come to or gone from are made anew, and of these all other rows are the
    very same: what has been said of them still holds where nothing that they read has moved.
    """
    if was.worn != found.worn:
        return collect(found)
    moved = {ref for ref in was.nodes.keys() | found.nodes.keys() if was.nodes.get(ref) is not found.nodes.get(ref)}
    gone, come = Rows({}, {}, [], set()), Rows({}, {}, [], set())
    for ref in moved & was.nodes.keys():
        place(gone, was.nodes[ref], was.nodes[ref].element.effects)
    for ref in moved & found.nodes.keys():
        place(come, found.nodes[ref], found.nodes[ref].element.effects)

    def order(row: Row) -> tuple[bool, Ref]:
        owner = row[0].owner
        worn = found.nodes.get(owner) is not row[1]
        return worn, "" if worn else owner  # last, and in the order in which the things are worn

    def together(lists: Lists, gone: Lists, come: Lists) -> Lists:
        after = dict(lists)
        for name in gone.keys() | come.keys():
            left = [row for row in lists.get(name, ()) if row[0].owner not in moved]
            after[name] = sorted([*left, *come.get(name, ())], key=order)
            if not after[name]:
                del after[name]
        return after

    modify = dict(rows.modify)
    for stat in gone.modify.keys() | come.modify.keys():
        modify[stat] = together(rows.modify.get(stat, {}), gone.modify.get(stat, {}), come.modify.get(stat, {}))
    notes = together({"": rows.notes}, {"": gone.notes}, {"": come.notes}).get("", [])
    return Rows(modify, together(rows.roll, gone.roll, come.roll), notes, situations_of(found))


def property_rows(found: Gathered, element: Element, roll: str) -> Printed:
    """The roll rows of an item's own properties, with the numbers printed on it. Content alone decides them."""
    known = found.bundle.memo.get((element.ref, roll))
    if known is None:
        rows: list[tuple[Row, tuple[int, ...]]] = []
        for use in element.properties:
            carried = found.bundle.elements[use.property]
            numbers = tuple(n for n in (use.a, use.b) if n is not None)
            rows += [(row, numbers) for row in rows_of(carried, roll, (element.name,))]
        rows += [(row, ()) for row in rows_of(element, roll, ())]
        known = found.bundle.memo[element.ref, roll] = tuple(rows)
    return known


def rows_of(element: Element, roll: str, path: tuple[str, ...]) -> list[Row]:
    node = Node(element, path, 1, None)
    return [(effect, node) for effect in element.effects if effect.kind == "roll" and effect.roll == roll]
