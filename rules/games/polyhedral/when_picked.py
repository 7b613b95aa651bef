"""Tests whether requirements held when picks were made, without what the picks themselves and later gains bring
(section 4)."""

from collections.abc import Iterator

from rules.engine.at_level import up_to
from rules.engine.build import Build, Decision
from rules.engine.bundle import Bundle
from rules.engine.content import Requirement
from rules.engine.derive import solved
from rules.engine.facts import Gathered
from rules.engine.options import unanswered
from rules.engine.requirements import RowContext, groups_of, holds, in_words, unmet
from rules.engine.solve import Solver


def unmet_when_picked(solver: Solver) -> Iterator[tuple[Decision, str]]:
    """Picks whose requirements do not hold now, or did not at the level of the pick, each with a sentence. Leaves out
    requirements that fail now and are not about a number, which gathering has reported already."""
    found = solver.found
    for decision, _, _ in found.counted:
        if decision.ref not in found.bundle.growing_into or decision.override:
            continue
        element = found.bundle.elements[decision.ref]
        context = RowContext(first_job=decision.ref == found.starting_job)
        lacking = list(numbers_lacking(found, decision, context))
        yield from ((decision, text) for text in lacking)
        if lacking or decision.level >= found.level or unmet(element.prerequisites, found, context):
            continue
        if all(
            any(held_then(test, found, decision, context) for test in group)
            for group in groups_of(element.prerequisites)
        ):
            continue
        then = without(decision, found.bundle, up_to(found.bundle, found.build, decision.level))
        for group in unmet(element.prerequisites, then, context):
            words = in_words(group, found.bundle)
            yield decision, f"{element.name} needs {words}; level {decision.level} was too early."


def held_then(test: Requirement, found: Gathered, decision: Decision, context: RowContext) -> bool:
    """True if the present character already shows that this held at the level of the pick, and not because of it. If
    False, the character of that level has to be derived to tell."""
    if not test.grows:
        return holds(test, found, context)
    node = found.nodes.get(test.ref)
    if test.negate or test.test not in ("has", "rank") or node is None or decision.ref == test.ref:
        return False
    rank = test.value if test.test == "rank" else 0
    by_the_pick = found.bundle.called(decision.ref) in node.path
    return rank <= node.rank(found.level) and node.level_of(rank) <= decision.level and not by_the_pick


def numbers_lacking(found: Gathered, decision: Decision, context: RowContext) -> Iterator[str]:
    """A sentence for each requirement about a number that the present character does not meet without this pick."""
    if decision.ref not in found.bundle.asks_numbers:
        return
    element, stats = found.bundle.elements[decision.ref], found.bundle.stats
    now = without(decision, found.bundle, found.build)
    for group in unmet(element.prerequisites, now, context):
        asked = [test.stat for test in group if test.stat]
        if asked:
            figures = ", ".join(f"{stats[stat].name} is {now.stat(stat)}" for stat in asked)
            yield f"{element.name} needs {in_words(group, found.bundle)}; {figures}."


def without(decision: Decision, bundle: Bundle, build: Build) -> Gathered:
    """The character of this build without one decision, with its numbers solved."""
    return solved(bundle, unanswered(build, [decision])).found
