"""`derive(bundle, build)`: the one pass that makes every number of a character, with its explanation."""

from collections.abc import Mapping

from rules.systems import system_of

from .build import Build
from .bundle import Action, Bundle, Ref
from .facts import Gathered, Granted, Node, refs_of
from .gather import gather
from .requirements import Scene, all_hold
from .sheet import ActionLine, Active, ChoiceLine, Picks, Proficiency, ResourceLine, Sheet, Step
from .solve import Rows, Solver, collect

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
    add up to it. What does not hold is reported in `problems`, never raised. Raises KeyError only for a `system`
    the site does not know.
    """
    system = system_of(bundle.system)
    level = system.level_of(bundle, build)
    found = gather(bundle, build, level)
    rows = collect(found)
    solver = Solver(found, rows, system.given(found))
    values = solver.solve_all()
    resources = use(solver)
    rolls = system.build_rolls(solver)
    attacks = system.build_attacks(solver)
    return Sheet(
        name=build.name,
        level=level,
        picks=Picks(max(0, level - 1), len(found.taken)),
        values=values,
        rolls=rolls,
        attacks=attacks,
        active={ref: active(found, node) for ref, node in found.nodes.items()},
        proficiencies=proficiencies(found),
        defenses=defenses(found),
        belongings=belongings(found),
        resources=resources,
        actions=actions(solver),
        conditions={ref: node.stacks for ref, node in found.nodes.items() if node.element.kind == "condition"},
        choices=choices(found),
        situations=situations(rows, found),
        notes=notes(rows, solver),
        problems=system.audit(solver, resources),
    )


def active(found: Gathered, node: Node) -> Active:
    return Active(node.element.ref, node.rank(found.level), node.path, node.level)


def proficiencies(found: Gathered) -> dict[str, tuple[Proficiency, ...]]:
    """What the character is proficient with and which languages it knows, by place on the sheet, sorted by slug."""
    placed: dict[str, list[Proficiency]] = {place: [] for place in PLACES.values()}
    for word in ("skilled", "knows"):
        for granted in refs_of(found.granted, word):
            place = place_of(found, granted.ref) if granted.ref else own_place(found, granted)
            if place:
                name = found.bundle.elements[granted.ref].name if granted.ref else granted.text
                placed[place].append(Proficiency(granted.ref, name, granted.path, not granted.ref))
    return {place: tuple(sorted(rows, key=slug_of)) for place, rows in placed.items()}


def slug_of(row: Proficiency) -> str:
    return row.ref.split(":")[1] if row.ref else row.name


def place_of(found: Gathered, ref: Ref) -> str:
    """A category of weapons or of armor stands with what it holds."""
    kind = ref.split(":")[0]
    if kind != "category":
        return PLACES.get(kind, "")
    return "armor" if ref in found.bundle.armor_categories else "weapons"


def own_place(found: Gathered, granted: Granted) -> str:
    """The player's own word goes where its choice's options would."""
    if granted.decision is None:
        return ""
    return PLACES.get(found.bundle.choices[granted.decision.choice].filter_kind, "")


def defenses(found: Gathered) -> dict[str, tuple[Proficiency, ...]]:
    """Damage types and conditions resisted, ignored, or taken worse."""
    return {
        word: tuple(
            Proficiency(row.ref, found.bundle.elements[row.ref].name, row.path) for row in refs_of(found.granted, word)
        )
        for word in ("resist", "immune", "vulnerable")
    }


def belongings(found: Gathered) -> tuple[tuple[Ref, int, tuple[str, ...]], ...]:
    return tuple(sorted((g.ref, g.quantity, g.path) for g in found.granted if g.word == "own"))


def use(solver: Solver) -> dict[str, ResourceLine]:
    """Every resource of what is active: its maximum, what is left, and which events bring it back."""
    found = solver.found
    lines: dict[str, ResourceLine] = {}
    returns = recoveries(found)
    for ref in sorted(found.nodes):
        for resource in found.nodes[ref].element.resources:
            most = solver.value(resource.max_stat)
            left = found.build.left.get(resource.slug)
            spent = found.build.spent.get(resource.slug, 0) if left is None else max(0, most - left)
            remaining = max(0, most - spent)
            if most <= 0 and not spent:
                continue
            found.left[resource.slug] = remaining
            lines[resource.slug] = ResourceLine(
                resource.slug, resource.name, ref, most, remaining, spent, resource.style, resource.die,
                resource.counts_up, returns.get(resource.slug, ()),
            )  # fmt: skip
    return dict(sorted(lines.items()))


def recoveries(found: Gathered) -> dict[str, tuple[str, ...]]:
    """Which events bring each resource back, shortest first; an event that includes another brings what it brings."""
    events = found.bundle.events
    direct: dict[str, set[str]] = {}
    for node in found.nodes.values():
        for recovery in node.element.recoveries:
            if recovery.when and not possible(found, recovery.when, node):
                continue
            direct.setdefault(recovery.resource, set()).add(recovery.event)
    for slugs in direct.values():
        slugs |= {event.slug for event in events.values() if slugs & set(event.includes)}
    return {
        slug: tuple(sorted(found_events, key=lambda e: (events[e].sort, e))) for slug, found_events in direct.items()
    }


def possible(found: Gathered, when: str, node: Node) -> bool:
    """Whether a recovery can come at all: what is left of the resource at that moment is not asked."""
    tests = [test for test in found.bundle.circumstances[when].tests if test.test != "resource_empty"]
    return all_hold(tests, found, found.scene(node))


def actions(solver: Solver) -> tuple[ActionLine, ...]:
    """What the character can do, by timing; an action's dice line carries its own explanation."""
    found = solver.found
    lines = []
    for node in found.nodes.values():
        for action in node.element.actions:
            if action.from_rank <= node.rank(found.level):
                lines.append(action_line(solver, action, node))
    return tuple(sorted(lines, key=lambda line: (line.action.timing_sort, line.action.name, line.action.owner)))


def action_line(solver: Solver, action: Action, node: Node) -> ActionLine:
    amount = solver.amount(action.amount, node)
    steps = (Step(node.element.name, action.name, amount, path=node.path, ref=action.owner),) if amount else ()
    return ActionLine(action, (*node.path, node.element.name), action.dice, amount, steps)


def choices(found: Gathered) -> tuple[ChoiceLine, ...]:
    """Every question the character faces, creation first; each choice of one element in its printed order."""
    order = found.bundle.choice_order
    return tuple(found.lines[key] for key in sorted(found.lines, key=lambda k: (k[1], order.get(k[0], 0), k[0])))


def situations(rows: Rows, found: Gathered) -> tuple[str, ...]:
    """Circumstances with a switch on the sheet, or decided at the table, that some row of this character reads."""
    modify = [group for by_op in rows.modify.values() for group in by_op.values()]
    named = {row.effect.when for group in (*modify, *rows.roll.values()) for row in group if row.effect.when}
    return tuple(sorted(slug for slug in named if found.bundle.circumstances[slug].detection != "auto"))


def notes(rows: Rows, solver: Solver) -> dict[str, tuple[Step, ...]]:
    """Rules in words, anchored to the statistic or roll they belong to; "" for those that stand alone."""
    found = solver.found
    anchored: dict[str, list[Step]] = {}
    for row in rows.notes:
        why = solver.weigh(row, Scene())[1]
        when = found.bundle.circumstances.get(row.effect.when)
        if why and (when is None or when.detection == "auto"):
            continue  # words for a case that is not this character's
        anchor = row.effect.stat or row.effect.roll
        anchored.setdefault(anchor, []).append(solver.step(row, 0, why))
    return {anchor: tuple(steps) for anchor, steps in sorted(anchored.items())}


def explain(sheet: Sheet, key: str) -> tuple[Step, ...]:
    """The rows behind a value or a roll, by its key. Raises KeyError when the character has no such number."""
    found: Mapping[str, object] = sheet.values if key in sheet.values else sheet.rolls
    return found[key].because  # type: ignore[attr-defined, no-any-return]
