"""`derive(bundle, build)`: computes every number of a character, with its explanation, in one pass."""

from .active_effects import collect
from .build import Build
from .bundle import Bundle
from .content import Action, Element, Ref
from .facts import Gathered, Granted, Node, refs_of
from .gather import gather
from .requirements import all_hold
from .sheet import (
    ActionLine,
    Active,
    ChoiceLine,
    Counters,
    Picks,
    Proficiency,
    ResourceLine,
    Sheet,
    Step,
    make,
)
from .solve import Solver

# The place of each kind of proficiency on the sheet.
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

    Pure and deterministic: no request, query, clock or random numbers, and the order of rows changes nothing. Each
    value, roll and attack has the rows that made it, whose amounts add up to it, and those that did not apply, with the
    reason. Faults are reported in `problems`, never raised.
    """
    game, solver = bundle.game, solved(bundle, build)
    lines = resources(solver)
    return Sheet(
        name=build.name,
        level=solver.found.level,
        picks=picks(solver),
        values=solver.values,
        rolls=game.build_rolls(solver),
        attacks=game.build_attacks(solver),
        active=active(solver),
        proficiencies=proficiencies(solver),
        defenses=defenses(solver),
        belongings=belongings(solver),
        resources=lines,
        actions=actions(solver),
        conditions=conditions(solver),
        choices=choices(solver),
        situations=situations(solver),
        notes=notes(solver),
        problems=game.audit(solver, lines),
        solver=solver,
    )


def derive_counters(bundle: Bundle, build: Build) -> Counters:
    """The counters and conditions of `derive`, without rolls and attacks, which take half of its time."""
    solver = solved(bundle, build)
    return Counters(resources(solver), conditions(solver))


def solved(bundle: Bundle, build: Build) -> Solver:
    """Every statistic of the character."""
    found = gather(bundle, build, bundle.game.levels.level_of(bundle, build))
    solver = Solver(found, collect(found), bundle.game.given(found))
    solver.solve_all()
    return solver


def picks(solver: Solver) -> Picks:
    level, taken = solver.found.level, solver.found.taken
    return Picks(max(0, level - 1) if solver.found.bundle.ways else 0, len(taken), sum(at > level for at in taken))


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
    """The character's proficiencies and languages, by their place on the sheet, sorted by slug."""
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
    """The place on the sheet. A category is listed with the kind of thing it contains: weapons or armor."""
    if element.kind != "category":
        return PLACES.get(element.kind, "")
    return "armor" if element.ref in found.bundle.armor_categories else "weapons"


def own_place(found: Gathered, granted: Granted) -> str:
    """The place of a player's own word: that of the other options of its choice. An awarded one is a language."""
    if granted.decision is None:
        return PLACES["language"]
    return PLACES.get(found.bundle.choices[granted.decision.choice].filter_kind, "")


def defenses(solver: Solver) -> dict[str, tuple[Proficiency, ...]]:
    """The damage types and conditions that the character resists, is immune to or is vulnerable to."""
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


def resources(solver: Solver) -> dict[str, ResourceLine]:
    """Each resource of active elements: its maximum, what is left, and the events that bring it back. Also tells the
    solver what is left, for circumstances that test whether a resource is used up."""
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
                resource.counts_up, *returns.get(resource.slug, ((), False)),
            )  # fmt: skip
    solver.leave({slug: line.left for slug, line in lines.items()})
    return dict(sorted(lines.items()))


def recoveries(found: Gathered) -> dict[str, tuple[tuple[str, ...], bool]]:
    """The events that bring each resource back, shortest first, and whether the first of them brings back only a part.
    An event also brings back what the events it includes do."""
    brought = found.bundle.brought
    direct: dict[str, set[str]] = {}
    whole: set[tuple[str, str]] = set()
    for ref in found.bundle.recovering & found.nodes.keys():
        node = found.nodes[ref]
        for recovery in node.element.recoveries:
            if not recovery.when or possible(found, recovery.when, node):
                direct.setdefault(recovery.resource, set()).update(brought[recovery.event])
                if recovery.full:
                    whole.update([(recovery.resource, event) for event in brought[recovery.event]])
    returns = {}
    for slug, events in direct.items():
        in_order = tuple([event for event in brought if event in events])
        returns[slug] = in_order, (slug, in_order[0]) not in whole
    return returns


def possible(found: Gathered, when: str, node: Node) -> bool:
    """True if a recovery can happen at all. Ignores tests of what is left of the resource at the moment."""
    tests = [test for test in found.bundle.circumstances[when].tests if test.test != "resource_empty"]
    return all_hold(tests, found, found.context(node))


def actions(solver: Solver) -> tuple[ActionLine, ...]:
    """The character's actions, by timing, each with the explanation of its dice."""
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
    amount = solver.amount(action.amount, node)
    steps = (Step(node.element.name, action.name, amount, path=node.path, ref=action.owner),) if amount else ()
    return make(ActionLine, (action, (*node.path, node.element.name), action.dice, amount, steps))


def choices(solver: Solver) -> tuple[ChoiceLine, ...]:
    """Every question that the character faces, creation first; the choices of one element in printed order."""
    found = solver.found
    order = found.bundle.choice_order
    return tuple([found.lines[key] for key in sorted(found.lines, key=lambda k: (k[1], order.get(k[0], 0), k[0]))])


def notes(solver: Solver) -> dict[str, tuple[Step, ...]]:
    """Rules in words, by the key of the statistic or roll that they are about; "" for those about neither."""
    found = solver.found
    anchored: dict[str, list[Step]] = {}
    for row in solver.rows.notes:
        why = solver.weigh(row)[1]
        effect = row.effect
        when = found.bundle.circumstances.get(effect.when)
        if why and (when is None or when.detection == "auto"):
            continue  # its case does not apply to this character
        anchor = effect.stat or effect.roll
        anchored.setdefault(anchor, []).append(solver.step(row, 0, why))
    return {anchor: tuple(steps) for anchor, steps in sorted(anchored.items())}
