"""Tests that requirements held when their picks were made: later gains do not count."""

from collections.abc import Iterator

from rules.engine.active_effects import collect
from rules.engine.at_level import up_to
from rules.engine.build import Decision
from rules.engine.facts import Gathered
from rules.engine.gather import gather
from rules.engine.requirements import RowContext, in_words, unmet
from rules.engine.solve import Solver

from .level import given

# Tests of things that grow with levels; all others are the same at every level.
GROWS = {"level", "rank", "has", "skilled", "stat_min", "stat_max"}


def too_early(solver: Solver) -> Iterator[tuple[Decision, str]]:
    """Picks whose requirements hold now, but did not at the level of the pick, each with a sentence."""
    found = solver.found
    for decision, _, _ in found.counted:
        if not (decision.ref and 1 < decision.level < found.level) or decision.override:
            continue
        element = found.bundle.elements[decision.ref]
        if not any(test.test in GROWS for test in element.prerequisites):
            continue
        context = RowContext(first_job=decision.ref == found.starting_job)
        if unmet(element.prerequisites, found, context):
            continue
        then = _at(found, decision.level)
        for group in unmet(element.prerequisites, then, context):
            yield (
                decision,
                f"{element.name} needs {in_words(group, found.bundle)}; level {decision.level} was too early.",
            )


def _at(found: Gathered, level: int) -> Gathered:
    """The character as it was at `level`, solved."""
    then = gather(found.bundle, up_to(found.bundle, found.build, level), level)
    Solver(then, collect(then), given(then)).solve_all()
    return then
