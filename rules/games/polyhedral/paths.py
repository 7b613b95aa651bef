"""The path of a decision in a character file, by which problems and forms name the decision."""

import re
from collections.abc import Mapping, Sequence

from rules.engine.build import Decision

ORIGIN: Mapping[str, str] = {
    "core-rules.lineage": "origin.lineage",
    "core-rules.culture": "origin.culture",
    "core-rules.background": "origin.background",
    "core-rules.disposition": "origin.disposition",
    "core-rules.job": "job",
    "core-rules.ability-bonuses": "abilities.bonuses",
}
TAKE = {"core-rules.level-job": "job", "core-rules.level-abilities": "ranks", "core-rules.level-talent": "talent"}


def decision_path(decision: Decision, levels: Sequence[int]) -> str:
    """The path of one decision. `levels` are the levels that have an entry in the file, in order."""
    if decision.choice in TAKE:
        return f"levels[{levels.index(decision.level)}]"
    path = ORIGIN.get(decision.choice, f"choices.{decision.choice}[{decision.position}]")
    if decision.level > 1 and decision.level in levels:
        return f"levels[{levels.index(decision.level)}].{path}"
    return path


def levels_of(decisions: Sequence[Decision]) -> list[int]:
    """The levels with an entry in the file."""
    return sorted({d.level for d in decisions if d.level > 1})


def in_order(path: str) -> list[tuple[int, str]]:
    """A key to sort paths by: `levels[2]` comes before `levels[10]`."""
    return [(int(step), "") if step.isdigit() else (-1, step) for step in re.split(r"([0-9]+)", path)]


def open_path(key: str, level: int) -> str:
    """The name of an open choice in `sheet --json`: for creation steps, their place in the file; else the choice's
    key."""
    if key in TAKE:
        return f"levels.{level}.{TAKE[key]}"
    return ORIGIN.get(key, key)
