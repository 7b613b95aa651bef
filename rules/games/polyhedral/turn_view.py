"""The turn on the live sheet: the parts left, the possible actions, and the distances within reach."""

from dataclasses import dataclass

from rules.engine.build import Build
from rules.engine.bundle import Bundle
from rules.engine.sheet import Sheet

from .distances import Pace, may_pass, on_the_map, paces, squeezes
from .play.body import PARTS, PRONE, TURNS, because
from .play.ends import held_as
from .play.turn import COST, EITHER, MOVEMENT, SPEED, STAND_UP, speed_left

JUMPS = (("jump.long", "with a run-up"), ("jump.standing", "from standing"), ("jump.high", "high"))
STEPS = (5, 10, 15)
# Actions with their own button.
APART = ("dash", STAND_UP)


@dataclass(frozen=True, slots=True)
class PartOfTurn:
    """Action, bonus action or reaction. why_not: the condition that forbids it, "" for none. where: the statistic that
    forbids it."""

    slug: str
    name: str
    left: int
    max: int
    why_not: str
    where: str


@dataclass(frozen=True, slots=True)
class TurnView:
    """The turn of one character. left, most: feet of speed. cost: feet of speed per foot of ground; cost_because: why.
    stand_up: feet of speed to stand up, None if the character is not prone. either: the reason why only one of action
    and bonus action is possible, "" if both are. steps: distances in feet of ground. actions: those to pick from a
    list, by timing, as pairs of slug and name."""

    parts: tuple[PartOfTurn, ...]
    left: int
    most: int
    cost: int
    cost_because: str
    cannot_move: str
    stand_up: int | None
    either: str
    on_the_map: str
    steps: tuple[int, ...]
    actions: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
    ground: tuple[tuple[str, str, bool], ...]
    passes: tuple[str, ...]
    squeezes: str
    jumps: tuple[tuple[str, str, int], ...]
    paces: tuple[Pace, ...]


def turn_of(bundle: Bundle, build: Build, sheet: Sheet) -> TurnView | None:
    """The turn of this character; None if it has no speed yet, as for an unfinished draft."""
    line = sheet.resources.get(MOVEMENT)
    if "turn.movement" not in sheet.values:
        return None
    return TurnView(
        parts=tuple(part(sheet, slug) for slug in PARTS if slug in sheet.resources),
        left=speed_left(sheet),
        most=line.max if line else 0,
        cost=sheet.value(COST),
        cost_because=because(sheet, COST) if sheet.value(COST) > 1 else "",
        cannot_move=because(sheet, "blocked.movement") if sheet.value("blocked.movement") else "",
        stand_up=sheet.value(SPEED) // 2 if held_as(build, PRONE) else None,
        either=because(sheet, EITHER) if sheet.value(EITHER) else "",
        on_the_map=on_the_map(bundle, build, sheet),
        steps=steps(speed_left(sheet) // max(1, sheet.value(COST))),
        actions=to_use(sheet),
        ground=ground(bundle, build, sheet),
        passes=may_pass(bundle, sheet),
        squeezes=squeezes(bundle, sheet),
        jumps=tuple((stat, words, sheet.value(stat)) for stat, words in JUMPS),
        paces=paces(bundle, build, sheet),
    )


def steps(reach: int) -> tuple[int, ...]:
    """Distances for buttons, in feet: the usual ones within reach, and the whole reach."""
    return tuple(sorted({feet for feet in (*STEPS, reach) if 0 < feet <= reach}))


def part(sheet: Sheet, slug: str) -> PartOfTurn:
    line, where = sheet.resources[slug], TURNS[slug][0]
    return PartOfTurn(slug, line.name, line.left, line.max, because(sheet, where) if sheet.value(where) else "", where)


def to_use(sheet: Sheet) -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
    """Actions by the part of the turn they take. Left out are those that roll or spend a resource, which are shown
    elsewhere with their uses, and those that count as a rest, which are on the page of rests with a preview."""
    found: dict[str, list[tuple[str, str]]] = {slug: [] for slug in PARTS}
    for line in sheet.actions:
        action = line.action
        if action.timing in found and action.slug not in APART and not (action.resource or action.roll or action.fires):
            found[action.timing].append((action.slug, action.name))
    parts = {slug: sheet.resources[slug].name for slug in PARTS if slug in sheet.resources}
    return tuple((name, tuple(found[slug])) for slug, name in parts.items() if found[slug])


def ground(bundle: Bundle, build: Build, sheet: Sheet) -> tuple[tuple[str, str, bool], ...]:
    """The circumstances to switch that make this character's movement cost more: slug, name, and whether it is on."""
    rows = sheet.solver.rows.modify.get(COST, {})
    slugs = sorted({row.effect.when for of_op in rows.values() for row in of_op if row.effect.when})
    found = [bundle.circumstances[slug] for slug in slugs]
    return tuple((one.slug, one.name, one.slug in build.toggles) for one in found if one.detection == "toggle")
