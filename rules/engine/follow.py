"""The sheet after a change at the table, made from the one before it: only what the change may reach is made anew.

An evening is hundreds of changes, and most of them reach little: points lost, a circumstance, a thing in another place.
"""

from collections.abc import Iterator
from dataclasses import fields

from .build import HANDS, Build
from .changed import changed
from .content import Ref
from .derive import conditions, derive, lines, same_part, settled
from .facts import Gathered
from .gather import Walk, at_the_table, items_of
from .reach import IN_HAND, WORN, Source, deciding, reached, standing_apart
from .rows import collected_after
from .sheet import Counters, Sheet
from .solve import Solver

# What may differ between a build and the one that follows it.
MOVING = {
    "spent", "rest", "rest_dice", "toggles", "conditions", "items", "aspects", "relationships", "notes", "downtimes",
    "plan",
}  # fmt: skip
ELSEWHERE = tuple(field.name for field in fields(Build) if field.name not in MOVING)
ON_SHEET = tuple(field.name for field in fields(Sheet) if field.compare and field.name != "dice")
BY_ANSWERS = ("picks", "proficiencies", "defenses", "belongings", "choices")
BY_NODES = ("active", "conditions", "situations")


def follow(sheet: Sheet, build: Build) -> Sheet | None:
    """The sheet of `build`, a later state of the character that `sheet` shows, by the same content.

    Equal to `derive` wherever it answers; a part that comes to the same is the very same object. None where something
    has moved that does not move at the table, or that decides more than numbers: then it takes a `derive`.
    """
    solver = following(sheet, build)
    if solver is None:
        return None
    before: Solver = sheet.solver
    same = solver.found.nodes is before.found.nodes
    if same:
        solver.sorted = before.sorted
    solver.gathered = {name: getattr(sheet, name) for name in (BY_NODES + BY_ANSWERS if same else BY_ANSWERS)}
    after = settled(solver)
    for part in ON_SHEET:
        if same_part(old := getattr(sheet, part), after[part]):
            after[part] = old
    return Sheet(**after)


def counters_after(sheet: Sheet, build: Build) -> Counters:
    """What would be left and in force if the character that `sheet` shows were this later `build`, by the same content.

    The same as `derive` finds, without making what nobody asked for.
    """
    solver = following(sheet, build)
    if solver is None:
        sheet = derive(sheet.solver.found.bundle, build)
        return Counters(sheet.resources, sheet.conditions)
    same = solver.found.nodes is sheet.solver.found.nodes
    return Counters(lines(solver), sheet.conditions if same else conditions(solver))


def following(sheet: Sheet, build: Build) -> Solver | None:
    """What makes the sheet of `build`: it knows what may have moved, and the values that have not."""
    before: Solver = sheet.solver
    was = before.found.build
    if before.rings or was.left or any(differ(getattr(build, name), getattr(was, name)) for name in ELSEWHERE):
        return None
    found = gathered_after(before.found, build)
    if found is None:
        return None
    same = found.nodes is before.found.nodes
    rows = before.rows if same else collected_after(before.rows, before.found, found)
    solver = Solver(found, rows, before.given)
    moved = reached(found.bundle, moves(before.found, found))
    solver.values = dict(before.values)
    found.solved.update(before.found.solved)
    for kind, name, *_ in moved:
        if kind == "stat":
            solver.values.pop(name, None)
            found.solved.pop(name, None)
    solver.earlier, solver.moved, solver.known = sheet, moved, before.judged
    return solver


def differ(one: object, other: object) -> bool:
    """Whether they are not equal; most are one object, and a dictionary does not look for that itself."""
    return one is not other and one != other


def gathered_after(before: Gathered, build: Build) -> Gathered | None:
    """Who is active now; None where something has moved, come or gone that decides more than numbers."""
    worn, held, carried = items_of(before.bundle, build)
    found = changed(before, build=build, worn=worn, held=held, carried=carried, solved={}, left={})
    if not deciding(before.bundle).isdisjoint(by_hand(before, found)):
        return None
    was, now = at_the_table(before), at_the_table(found)
    if was == now and worn == before.worn:
        return found
    apart = standing_apart(before.bundle)
    if not apart.issuperset(ref for ref, _ in (*was, *now)) or not apart.isdisjoint(one.ref for one in build.awards):
        return None
    found.nodes = {ref: node for ref, node in before.nodes.items() if ref not in apart}
    Walk(found).items_and_conditions()
    for ref in apart & before.nodes.keys() & found.nodes.keys():
        if found.nodes[ref] == before.nodes[ref]:
            found.nodes[ref] = before.nodes[ref]
    return found


def by_hand(before: Gathered, now: Gathered) -> Iterator[Source]:
    """What somebody has switched, put elsewhere, put on or taken off."""
    was, build = before.build, now.build
    yield from (("when", slug) for slug in was.toggles ^ build.toggles)
    if in_hand(was) != in_hand(build):
        yield IN_HAND
    if before.worn != now.worn:
        yield from (WORN, IN_HAND)
        yield from (("element", item.ref) for item in (*before.worn, *now.worn))


def moves(before: Gathered, now: Gathered) -> Iterator[Source]:
    """What differs between two states of a character, and what may be asked about it."""
    was, build = before.build, now.build
    yield from by_hand(before, now)
    for slug in was.spent.keys() | build.spent.keys():
        if was.spent.get(slug, 0) != build.spent.get(slug, 0):
            yield "spent", slug
    if now.nodes is before.nodes:
        return
    for ref in before.nodes.keys() | now.nodes.keys():
        old, new = before.nodes.get(ref), now.nodes.get(ref)
        if old is None or new is None:
            yield from ((word, ref) for word in ("element", "has", "rank"))
        elif old != new:
            yield from ((word, ref) for word in ("element", "rank"))


def in_hand(build: Build) -> list[tuple[Ref, str, str]]:
    return [(item.ref, item.state, item.key) for item in build.items if item.state in HANDS]
