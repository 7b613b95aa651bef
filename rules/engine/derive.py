"""`derive(bundle, build)`: the one pass that makes every number of a character, with its explanation."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from .build import Build
from .bundle import Bundle
from .content import Action, Element, Ref
from .facts import Gathered, Granted, Node, refs_of
from .gather import gather
from .reach import ACTIONS, RECOVERIES, RESOURCES
from .requirements import all_hold
from .rows import collect
from .sheet import (
    ActionLine,
    Active,
    Attack,
    ChoiceLine,
    Dice,
    Picks,
    Proficiency,
    ResourceLine,
    Roll,
    Sheet,
    Step,
    make,
)
from .solve import Solver

# Where each kind of proficiency stands on the sheet.
PLACES = {
    "skill": "skills",
    "knowledge": "knowledges",
    "tool": "tools",
    "language": "languages",
    "weapon": "weapons",
    "armor": "armor",
    "ability": "saves",
}


def derive(bundle: Bundle, build: Build) -> Sheet:
    """Everything about a character, from content and decisions alone.

    Pure and deterministic: no request, query, clock or chance, and the order of rows changes nothing. Each value,
    roll and attack carries the rows that made it and those that did not apply, with the reason; the applied amounts
    add up to it. What does not hold is reported in `problems`, never raised. Rolls and attacks are put together when
    they are asked for, just as purely.
    """
    found = gather(bundle, build, bundle.game.levels.level_of(bundle, build))
    return Sheet(**settled(Solver(found, collect(found), bundle.game.given(found))))


def settled(solver: Solver) -> dict[str, Any]:
    """Everything that this solver's character comes to: the parts of its sheet."""
    found = solver.found
    values = solver.solve_all()
    resources = use(solver)
    parts = {
        "name": found.build.name,
        "level": found.level,
        "values": values,
        "resources": resources,
        "actions": solver.earlier.actions if solver.earlier and solver.stands(ACTIONS) else actions(solver),
        "notes": notes(solver),
        "problems": found.bundle.game.audit(solver, resources),
        "solver": solver,
        **{name: solver.gathered[name] if name in solver.gathered else of(solver) for name, of in GATHERED.items()},
    }
    solver.gathered = {}
    return {**parts, "dice": dice_of(solver)}


def dice_of(solver: Solver) -> Dice:
    """What may be rolled: the very dice of the sheet before, asked for or not, where they cannot have moved."""
    earlier = solver.earlier
    if earlier is None:
        return Dice(partial(rolls_and_attacks, solver))
    if solver.found.bundle.game.dice_stand(solver):
        solver.trained = earlier.solver.trained
        if solver.found.nodes is earlier.solver.found.nodes:
            solver.judged = earlier.solver.judged
        solver.forget()
        return earlier.dice
    if not earlier.dice.asked_for:
        solver.forget()  # nothing to put rolls together from, and every sheet would hold all that came before it
    return Dice(partial(rolls_and_attacks, solver))


def rolls_and_attacks(solver: Solver) -> tuple[dict[str, Roll], tuple[Attack, ...]]:
    """What the character may roll. Where it comes to the same as on the sheet before, it is the very same object."""
    game = solver.found.bundle.game
    rolls, attacks = game.build_rolls(solver), game.build_attacks(solver)
    if earlier := solver.earlier:
        rolls = earlier.rolls if same_part(earlier.rolls, rolls) else rolls
        attacks = earlier.attacks if same_part(earlier.attacks, attacks) else attacks
    solver.forget()
    return rolls, attacks


def same_part(old: object, new: object) -> bool:
    """Whether they are equal and, where they are listed by key, in the same order."""
    if old is new or old != new:
        return False
    return not isinstance(old, dict) or not isinstance(new, dict) or [*old] == [*new]


def picks(solver: Solver) -> Picks:
    return Picks(max(0, solver.found.level - 1), len(solver.found.taken))


def active(solver: Solver) -> dict[Ref, Active]:
    level = solver.found.level
    return {
        ref: make(Active, (ref, node.rank(level), node.path, node.level)) for ref, node in solver.found.nodes.items()
    }


def conditions(solver: Solver) -> dict[Ref, int]:
    return {ref: node.stacks for ref, node in solver.found.nodes.items() if node.element.kind == "condition"}


def situations(solver: Solver) -> tuple[str, ...]:
    return tuple(sorted(solver.rows.situations))


def proficiencies(solver: Solver) -> dict[str, tuple[Proficiency, ...]]:
    """What the character is proficient with and which languages it knows, by place on the sheet, sorted by slug."""
    found = solver.found
    placed: dict[str, list[tuple[str, Proficiency]]] = {place: [] for place in PLACES.values()}
    for word in ("skilled", "knows"):
        for granted in refs_of(found.granted, word):
            if granted.ref:
                element = found.bundle.elements[granted.ref]
                place, slug, name = place_of(found, element), element.slug, element.name
            else:
                place, slug, name = own_place(found, granted), granted.text, granted.text
            if place:
                placed[place].append((slug, make(Proficiency, (granted.ref, name, granted.path, not granted.ref))))
    return {place: tuple([row for _, row in sorted(rows)]) for place, rows in placed.items()}


def place_of(found: Gathered, element: Element) -> str:
    """A category of weapons or of armor stands with what it holds."""
    if element.kind != "category":
        return PLACES.get(element.kind, "")
    return "armor" if element.ref in found.bundle.armor_categories else "weapons"


def own_place(found: Gathered, granted: Granted) -> str:
    """The player's own word goes where its choice's options would."""
    if granted.decision is None:
        return ""
    return PLACES.get(found.bundle.choices[granted.decision.choice].filter_kind, "")


def defenses(solver: Solver) -> dict[str, tuple[Proficiency, ...]]:
    """Damage types and conditions resisted, ignored, or taken worse."""
    found = solver.found
    return {
        word: tuple(
            sorted(
                Proficiency(row.ref, found.bundle.elements[row.ref].name, row.path)
                for row in refs_of(found.granted, word)
            )
        )
        for word in ("resist", "immune", "vulnerable")
    }


def belongings(solver: Solver) -> tuple[tuple[Ref, int, tuple[str, ...]], ...]:
    return tuple(sorted((g.ref, g.quantity, g.path) for g in solver.found.granted if g.word == "own"))


def use(solver: Solver) -> dict[str, ResourceLine]:
    found = lines(solver)
    solver.leave({slug: line.left for slug, line in found.items()})
    return found


def lines(solver: Solver) -> dict[str, ResourceLine]:
    """Every resource of what is active: its maximum, what is left, and which events bring it back."""
    found = respent(solver, solver.earlier) if solver.earlier and solver.stands(RESOURCES) else None
    return resources(solver) if found is None else found


def respent(solver: Solver, earlier: Sheet) -> dict[str, ResourceLine] | None:
    """The earlier sheet's lines where only what is spent, or brings it back, has moved; None where a line may come or
    go with it."""
    lines, was, now = earlier.resources, earlier.solver.found.build.spent, solver.found.build.spent
    if not solver.stands(RECOVERIES):
        returns = recoveries(solver.found)
        lines = {slug: recovering(line, returns.get(slug, ())) for slug, line in lines.items()}
    moved = {slug: now.get(slug, 0) for slug in was.keys() | now.keys() if was.get(slug, 0) != now.get(slug, 0)}
    if not moved:
        return lines
    if any(slug not in lines or lines[slug].max <= 0 for slug in moved):
        return None
    new = {
        slug: lines[slug]._replace(left=max(0, lines[slug].max - spent), spent=spent) for slug, spent in moved.items()
    }
    return {**lines, **new}


def recovering(line: ResourceLine, recovers: tuple[str, ...]) -> ResourceLine:
    return line if line.recovers == recovers else line._replace(recovers=recovers)


def resources(solver: Solver) -> dict[str, ResourceLine]:
    found = solver.found
    lines = {}
    returns = recoveries(found)
    for ref in sorted(found.bundle.owning & found.nodes.keys()):
        for resource in found.nodes[ref].element.resources:
            most = solver.value(resource.max_stat)
            left = found.build.left.get(resource.slug)
            spent = found.build.spent.get(resource.slug, 0) if left is None else max(0, most - left)
            remaining = max(0, most - spent)
            if most <= 0 and not spent:
                continue
            lines[resource.slug] = ResourceLine(
                resource.slug, resource.name, ref, most, remaining, spent, resource.style, resource.die,
                resource.counts_up, returns.get(resource.slug, ()),
            )  # fmt: skip
    return dict(sorted(lines.items()))


def recoveries(found: Gathered) -> dict[str, tuple[str, ...]]:
    """Which events bring each resource back, shortest first; an event that includes another brings what it brings."""
    brought = found.bundle.brought
    direct: dict[str, set[str]] = {}
    for ref in found.bundle.recovering & found.nodes.keys():
        node = found.nodes[ref]
        for recovery in node.element.recoveries:
            if not recovery.when or possible(found, recovery.when, node):
                direct.setdefault(recovery.resource, set()).update(brought[recovery.event])
    return {slug: tuple(event for event in brought if event in events) for slug, events in direct.items()}


def possible(found: Gathered, when: str, node: Node) -> bool:
    """Whether a recovery can come at all: what is left of the resource at that moment is not asked."""
    tests = [test for test in found.bundle.circumstances[when].tests if test.test != "resource_empty"]
    return all_hold(tests, found, found.scene(node))


def actions(solver: Solver) -> tuple[ActionLine, ...]:
    """What the character can do, by timing; an action's dice line carries its own explanation."""
    found = solver.found
    lines = []
    for node in found.nodes.values():
        if node.element.actions:
            rank = node.rank(found.level)
            lines += [action_line(solver, action, node) for action in node.element.actions if action.from_rank <= rank]
    return tuple(sorted(lines, key=by_timing))


def by_timing(line: ActionLine) -> tuple[int, str, Ref]:
    return line.action.timing_sort, line.action.name, line.action.owner


def action_line(solver: Solver, action: Action, node: Node) -> ActionLine:
    amount = action.amount.flat if action.amount.plain else solver.amount(action.amount, node)
    steps = (Step(node.element.name, action.name, amount, path=node.path, ref=action.owner),) if amount else ()
    return make(ActionLine, (action, (*node.path, node.element.name), action.dice, amount, steps))


def choices(solver: Solver) -> tuple[ChoiceLine, ...]:
    """Every question the character faces, creation first; each choice of one element in its printed order."""
    found = solver.found
    order = found.bundle.choice_order
    return tuple(found.lines[key] for key in sorted(found.lines, key=lambda k: (k[1], order.get(k[0], 0), k[0])))


def notes(solver: Solver) -> dict[str, tuple[Step, ...]]:
    """Rules in words, anchored to the statistic or roll they belong to; "" for those that stand alone."""
    found = solver.found
    anchored: dict[str, list[Step]] = {}
    for row in solver.rows.notes:
        why = solver.weigh(row)[1]
        effect = row[0]
        when = found.bundle.circumstances.get(effect.when)
        if why and (when is None or when.detection == "auto"):
            continue  # words for a case that is not this character's
        anchor = effect.stat or effect.roll
        anchored.setdefault(anchor, []).append(solver.step(row, 0, why))
    return {anchor: tuple(steps) for anchor, steps in sorted(anchored.items())}


# What is decided by who is active, before any number.
GATHERED: dict[str, Callable[[Solver], Any]] = {
    "picks": picks,
    "active": active,
    "proficiencies": proficiencies,
    "defenses": defenses,
    "belongings": belongings,
    "conditions": conditions,
    "choices": choices,
    "situations": situations,
}


def explain(sheet: Sheet, key: str) -> tuple[Step, ...]:
    """The rows behind a value or a roll, by its key. Raises KeyError when the character has no such number."""
    found: Mapping[str, object] = sheet.values if key in sheet.values else sheet.rolls
    return found[key].because  # type: ignore[attr-defined, no-any-return]
