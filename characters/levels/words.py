"""Picks and answers by name."""

from collections.abc import Iterable, Sequence

from characters.words import listed
from rules.engine.build import Decision
from rules.engine.bundle import Bundle
from rules.engine.levels import Answer, decisions_of


def in_words(bundle: Bundle, decisions: Iterable[Decision]) -> str:
    """`Fighter`, `+2 Strength`, `+1 Strength and +1 Mind`."""
    return listed(_one(bundle, decision) for decision in decisions)


def _one(bundle: Bundle, decision: Decision) -> str:
    if decision.stat:
        return f"+{decision.points} {bundle.stats[decision.stat].name}"
    return bundle.elements[decision.ref].name if decision.ref in bundle.elements else decision.write_in


def way_in_words(bundle: Bundle, way: Sequence[Answer]) -> str:
    """`+1 Strength at level 4, then it is open at level 5`: the picks before the one that is wanted."""
    *before, last = way
    steps = [f"{in_words(bundle, decisions_of(bundle, answer))} at level {answer.level}" for answer in before]
    return ", ".join([*steps, f"then at level {last.level}" if steps else f"from level {last.level}"])
