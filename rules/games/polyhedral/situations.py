"""Bonuses that depend on something at the table, in words beside a roll."""

from collections.abc import Iterable

from rules.engine.content import clause
from rules.engine.phrases import signed
from rules.engine.sheet import Step

# Words for rows whose amount is not added to a roll.
IN_WORDS = {
    "advantage": "advantage",
    "disadvantage": "disadvantage",
    "fails": "fails",
    "succeeds": "succeeds",
    "criticals_on": "critical on {} or more",
    "criticals_from_pool": "critical with {}D or more",
    "damage_die": "damage die at least d{}",
    "damage_die_set": "damage die d{}",
    "damage_die_step": "damage die {} sides",
    "damage_dice": "damage dice \N{MULTIPLICATION SIGN} {}",
    "damage_type": "other damage",
    "damage_at_least": "damage at least {}",
    "ability_times": "ability \N{MULTIPLICATION SIGN} {} in damage",
}
UNITS = {"dice": "D", "damage": " damage"}


def situations(steps: Iterable[Step]) -> tuple[str, ...]:
    """Bonuses of the character that may apply to a roll at the table: "advantage to see or hear (Keen Senses)".

    Bonuses that the core rules give everyone (cover, dim light, help) are only in the explanation.
    """
    waiting = [
        f"{change_of(step)} {clause(step.why.removeprefix('when: '))} ({step.source})"
        for step in steps
        if step.why and step.why.startswith("when: ") and not step.ref.startswith("rules:")
    ]
    return tuple(dict.fromkeys(waiting)) if waiting else ()


def change_of(step: Step) -> str:
    """The change that a row would make to a roll, in words: "advantage", "+1D", "+2", "+2 damage", or that it fails."""
    if step.op in IN_WORDS:
        return IN_WORDS[step.op].format(signed(step.amount) if step.op == "damage_die_step" else step.amount)
    return signed(step.amount) + UNITS.get(step.part, "")
