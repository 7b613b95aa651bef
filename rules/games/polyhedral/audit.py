"""Finds problems once everything is derived. Reports each with a path and a sentence; changes nothing."""

from collections.abc import Mapping

from rules.engine.facts import Gathered
from rules.engine.sheet import Problem, ResourceLine
from rules.engine.solve import Solver

from .creation import rank_problems
from .file_read import COUNTED
from .level import HIGHEST, earned_level
from .paths import decision_path, in_order, levels_of
from .places import clashes
from .play.body import DEAD, HEALTH, STAMINA, STATES
from .when_picked import unmet_when_picked

KEYS = {slug: key for key, slug in COUNTED.items()}  # counters with their own key in `state`


def audit(solver: Solver, resources: Mapping[str, ResourceLine]) -> tuple[Problem, ...]:
    """Every problem of a character, in the order of the file."""
    found = solver.found
    levels = levels_of(found.build.decisions)
    problems = rank_problems(found.bundle, found.build)
    if not found.build.name:
        problems.append(Problem("name", "The character has no name."))
    if earned_level(found.bundle, found.build) > HIGHEST:
        problems.append(Problem("xp", f"This is experience for a level above {HIGHEST:,}, the highest."))
    for decision, _, text in found.problems:
        where = decision_path(decision, levels) if decision else ""
        problems.append(Problem(where, text))
    problems += [Problem(decision_path(d, levels), text) for d, text in unmet_when_picked(solver)]
    problems += places(found)
    problems += contradictions(found)
    problems += down(found, resources)
    problems += over_full(found, resources)
    problems += [Problem("", f"These statistics depend on each other: {' → '.join(ring)}.") for ring in solver.rings]
    return tuple(sorted(set(problems), key=lambda p: (in_order(p.where), p.text)))


def places(found: Gathered) -> list[Problem]:
    """Items where they cannot be, or where something else is already (section 19)."""
    return [Problem(f"inventory[{at}].state", text) for at, text in clashes(found.bundle, found.build.items)]


def contradictions(found: Gathered) -> list[Problem]:
    """Circumstances of the same group that are switched on together."""
    groups: dict[str, list[str]] = {}
    for slug in sorted(found.build.toggles):
        circumstance = found.bundle.circumstances.get(slug)
        if circumstance and circumstance.group:
            groups.setdefault(circumstance.group, []).append(circumstance.name)
    return [
        Problem("state.toggles", f"Only one of these can hold: {', '.join(names)}.")
        for names in groups.values()
        if len(names) > 1
    ]


def down(found: Gathered, resources: Mapping[str, ResourceLine]) -> list[Problem]:
    """A character at 0 health that is neither dying, stable nor dead, or one with health left that is dying or stable
    (section 28)."""
    health = resources.get(HEALTH)
    if health is None or not health.max:
        return []
    states = {held.ref for held in found.build.conditions} & {*STATES}
    if not health.left and not states:
        return [Problem("state.health", "Health is 0, so the character is dying, stable or dead. Say which.")]
    if health.left and states - {DEAD}:
        return [Problem("state.health", f"Health is {health.left}, so the character is neither dying nor stable.")]
    return []


def over_full(found: Gathered, resources: Mapping[str, ResourceLine]) -> list[Problem]:
    """Counters above the character's maximum."""
    problems = []
    for slug, left in found.build.left.items():
        line = resources.get(slug)
        if line is not None and left > line.max:
            problems.append(Problem(f"state.{slug}", f"{line.name}: {left:,} left of {line.max:,}."))
    for slug, spent in found.build.spent.items():
        line = resources.get(slug)
        if line is None or spent <= line.max:
            continue
        where = f"state.{KEYS.get(slug, f'spent.{slug}')}"
        if line.style == "uses":
            problems.append(Problem(where, f"{line.name}: {spent:,} spent of {line.max:,}."))
        elif line.style == "track" and line.max:  # Resources gained have no maximum, a turn's may fall
            problems.append(Problem(where, f"{line.name}: {spent:,}; {line.max:,} are the most."))
    dice = resources.get(STAMINA)
    if dice is not None and found.build.rest_dice > dice.spent:
        sentence = f"{dice.name}: {found.build.rest_dice} spent in this rest, but only {dice.spent} in all."
        problems.append(Problem("state.rest.dice", sentence))
    return problems
