"""Bonuses that depend on something at the table, in words to show beside a roll."""

from collections.abc import Iterable

from rules.engine.sheet import Step


def situations(steps: Iterable[Step]) -> tuple[str, ...]:
    """The character's own bonuses that may apply to a roll at the table: "advantage to see or hear (Keen Senses)".

    Bonuses that the core rules offer everybody (cover, dim light, help) are only in the explanation.
    """
    waiting = [
        f"{change_of(step)} {clause(step.why.removeprefix('when: '))} ({step.source})"
        for step in steps
        if step.why and step.why.startswith("when: ") and not step.ref.startswith("rules:")
    ]
    return tuple(dict.fromkeys(waiting)) if waiting else ()


def change_of(step: Step) -> str:
    """The change that a row would make to a roll, in words: advantage, +1D, +2, or that it fails."""
    if step.op in ("advantage", "disadvantage", "fails", "succeeds"):
        return step.op
    return f"{step.amount:+d}D" if step.part == "dice" else f"{step.amount:+d}"


def clause(circumstance: str) -> str:
    """A circumstance behind a change: "to see or hear", "when the check needs sight"."""
    return f"when {circumstance}" if circumstance.startswith("the ") else circumstance
