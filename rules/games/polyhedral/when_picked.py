"""Tests that requirements held when their picks were made, without what the picks and later gains bring (section 4)."""

from collections.abc import Iterator
from dataclasses import replace

from rules.engine.active_effects import collect
from rules.engine.at_level import up_to
from rules.engine.build import Build, Decision
from rules.engine.facts import Gathered
from rules.engine.gather import gather
from rules.engine.requirements import RowContext, grow, in_words, unmet
from rules.engine.solve import Solver

from .level import given


def unmet_when_picked(solver: Solver) -> Iterator[tuple[Decision, str]]:
    """Picks whose requirements do not hold, or did not at the level of the pick, each with a sentence. A requirement
    that fails now and asks for no number is a problem of gathering already."""
    found = solver.found
    for decision, _, _ in found.counted:
        element = found.bundle.elements.get(decision.ref)
        if element is None or decision.override or not grow(element.prerequisites):
            continue
        context = RowContext(first_job=decision.ref == found.starting_job)
        lacking = list(numbers_lacking(found, decision, context))
        yield from ((decision, text) for text in lacking)
        if lacking or decision.level >= found.level or unmet(element.prerequisites, found, context):
            continue
        then = without(up_to(found.bundle, found.build, decision.level), decision, found, decision.level)
        for group in unmet(element.prerequisites, then, context):
            words = in_words(group, found.bundle)
            yield decision, f"{element.name} needs {words}; level {decision.level} was too early."


def numbers_lacking(found: Gathered, decision: Decision, context: RowContext) -> Iterator[str]:
    """A sentence for each requirement about a number that the character does not meet without this pick."""
    if decision.ref not in found.bundle.asks_numbers:
        return
    element, stats = found.bundle.elements[decision.ref], found.bundle.stats
    now = without(found.build, decision, found, found.level)
    for group in unmet(element.prerequisites, now, context):
        asked = [test.stat for test in group if test.stat]
        if asked:
            figures = ", ".join(f"{stats[stat].name} is {now.stat(stat)}" for stat in asked)
            yield f"{element.name} needs {in_words(group, found.bundle)}; {figures}."


def without(build: Build, decision: Decision, found: Gathered, level: int) -> Gathered:
    """The character of this build at `level` without one decision, solved."""
    build = replace(build, decisions=tuple(one for one in build.decisions if one != decision))
    then = gather(found.bundle, build, level)
    Solver(then, collect(then), given(then)).solve_all()
    return then
