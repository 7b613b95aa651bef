"""What does not hold, after everything is derived. Reports with a path and a sentence; never deletes."""

from collections.abc import Iterator, Mapping

from rules.engine.build import HANDS, Decision
from rules.engine.facts import Gathered
from rules.engine.requirements import Scene, in_words, unmet
from rules.engine.sheet import Problem, ResourceLine
from rules.engine.solve import Solver

from .creation import rank_problems
from .paths import decision_path, levels_of
from .then import too_early


def audit(solver: Solver, resources: Mapping[str, ResourceLine]) -> tuple[Problem, ...]:
    """Every problem of a character, in the order of the file."""
    found = solver.found
    levels = levels_of(found.build.decisions)
    problems = [Problem("abilities.ranks", text) for text in rank_problems(found.bundle, found.build)]
    for decision, _, text in found.problems:
        where = decision_path(decision, levels) if decision else ""
        problems.append(Problem(where, text))
    problems += [Problem(decision_path(d, levels), text) for d, text in unmet_numbers(solver)]
    problems += [Problem(decision_path(d, levels), text) for d, text in too_early(solver)]
    problems += hands(found)
    problems += over_full(found, resources)
    problems += [Problem("", f"These statistics depend on each other: {' → '.join(ring)}.") for ring in solver.rings]
    return tuple(sorted(set(problems), key=lambda p: (p.where, p.text)))


def unmet_numbers(solver: Solver) -> Iterator[tuple[Decision, str]]:
    """Prerequisites that ask for a number, now that there are numbers."""
    found = solver.found
    asking = found.bundle.asks_numbers
    for decision, _, _ in found.counted:
        if decision.ref not in asking or decision.override:
            continue
        element = found.bundle.elements[decision.ref]
        scene = Scene(first_job=decision.ref == found.starting_job)
        for group in unmet(element.prerequisites, found, scene):
            if any(test.stat for test in group):
                now = ", ".join(f"{found.bundle.stats[t.stat].name} is {solver.value(t.stat)}" for t in group if t.stat)
                yield decision, f"{element.name} needs {in_words(group, found.bundle)}; {now}."


def hands(found: Gathered) -> list[Problem]:
    """More in hand than two hands hold, two suits of armor, or a two-handed weapon in one (section 19)."""
    problems = []
    used = 0
    bodies = 0
    for at, item in enumerate(found.build.items):
        element = found.bundle.elements.get(item.ref)
        used += len(HANDS.get(item.state, ()))
        if element is None:
            continue
        if item.state == "worn" and element.armor:
            used += element.armor.hands
            bodies += element.armor.hands == 0
            if element.armor.hands == 0 and bodies > 1:
                problems.append(Problem(f"inventory[{at}].state", f"{element.name} does not fit over other armor."))
        elif item.state == "worn" and element.weapon:
            problems.append(Problem(f"inventory[{at}].state", f"{element.name} is held, not worn."))
        if element.weapon and element.weapon.hands == 2 and item.state in ("main", "off"):
            problems.append(Problem(f"inventory[{at}].state", f"{element.name} needs both hands."))
    if used > 2:
        problems.append(Problem("inventory", f"The hands hold {used} hands’ worth; there are two."))
    return problems


def over_full(found: Gathered, resources: Mapping[str, ResourceLine]) -> list[Problem]:
    """A counter of the file beyond what the character has."""
    problems = []
    for slug, left in found.build.left.items():
        line = resources.get(slug)
        if line is not None and left > line.max:
            problems.append(Problem(f"state.{slug}", f"{line.name} is {left}; its maximum is {line.max}."))
    for slug, spent in found.build.spent.items():
        line = resources.get(slug)
        if line is not None and line.style == "uses" and spent > line.max:
            problems.append(Problem(f"state.spent.{slug}", f"{line.name}: {spent} spent of {line.max}."))
    return problems
