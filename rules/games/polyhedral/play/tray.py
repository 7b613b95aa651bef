"""The tray of dice: every roll of the sheet, by the key of its button."""

from dataclasses import replace
from typing import Any

from rules.games.outcome import NotAllowed, Outcome
from rules.games.table_action import DICE, At, TableAction, Word

from ..spells import SPELL
from .ability_checks import WITH_ANY_ABILITY, check_ready, checked, roll_of
from .arms import attack_of, attack_ready, attacked
from .casting import cast, cast_ready, striking
from .damage import HitDamage, damage_ready, damaged
from .dying import death_save_ready
from .how import HOW, asked_how, invoke
from .pool import Ready

ROLL = "roll"  # the action of the tray
# First word of a key -> the region of the sheet with those rolls.
ROLLED_AT = {
    "skill": "skills",
    "knowledge": "knowledges",
    "check": "abilities",
    "save": "abilities",
    "attack": "attacks",
    "damage": "attacks",
    "critical": "attacks",
    "cast": "spells",
}
A_ROLL = "Choose what to roll: press Roll, Attack or Damage beside it."


def roll(at: At, *, roll: str, ability: str, aspect: str, **how: Any) -> Outcome:
    """Make the roll with the key `roll`: a key of the sheet, or `attack.`, `damage.` or `critical.` with a weapon and
    its grip, or `cast.` with a spell. ability: one to use instead of the sheet's (section 12)."""
    asked = asked_how(**how)
    kind, _, rest = roll.partition(".")
    item, _, grip = rest.rpartition(".")
    if kind in ("damage", "critical"):
        if ability or aspect:
            raise NotAllowed("A damage roll uses no ability and no Resolve.", "aspect" if aspect else "ability")
        return damaged(
            at, striking(at.sheet, item, grip), replace(asked, critical=asked.critical or kind == "critical")
        )
    invoke(at, aspect, asked)
    if ability and kind in ("attack", "cast"):
        raise NotAllowed("This roll cannot use another ability.", "ability")
    match kind:
        case "attack":
            outcome = attacked(at, attack_of(at.sheet, item, grip), asked)
        case "cast":
            outcome = cast(at, rest, asked)
        case _:
            outcome = checked(at, roll_of(at.bundle, at.sheet, roll, ability), asked)
    return replace(outcome, aspect=aspect)


def region_of(key: str) -> str:
    """The region of the sheet with this roll; the vital numbers if the key does not tell."""
    kind, grip = key.partition(".")[0], key.rpartition(".")[2]
    return "spells" if grip == SPELL else ROLLED_AT.get(kind, "vitals")


def ready_for(at: At, *, roll: str, ability: str, aspect: str, **how: Any) -> Ready | HitDamage | None:
    """The roll as it would be made, by the form so far; None for a key that the sheet does not have."""
    asked = asked_how(**how)
    kind, _, rest = roll.partition(".")
    item, _, grip = rest.rpartition(".")
    if kind == "attack":
        return attack_ready(at.bundle, at.build, attack_of(at.sheet, item, grip), asked)
    if kind == "damage":
        return damage_ready(at.bundle, at.build, striking(at.sheet, item, grip), asked)
    if kind == "cast":
        return cast_ready(at.bundle, at.build, at.sheet, rest, asked)
    if roll == "death-save":
        return death_save_ready(at.bundle, at.build, at.sheet, asked)
    if roll not in at.sheet.rolls and kind not in WITH_ANY_ABILITY:
        return None
    return check_ready(at.bundle, at.build, roll_of(at.bundle, at.sheet, roll, ability), asked)


ACTIONS = (
    TableAction(
        ROLL,
        roll,
        DICE,
        "tray",
        {"roll": Word(160, empty=A_ROLL), "ability": Word(60), **HOW},
        key=("d", "dice: how the next roll is made"),
    ),
)
