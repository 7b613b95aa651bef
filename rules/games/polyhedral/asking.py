"""Rolls that a storyteller asks several characters for, and how they count together (sections 2.4, 2.8 and 2.9)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rules.engine.build import Build
from rules.engine.bundle import Bundle
from rules.engine.sheet import Sheet
from rules.games.outcome import Rolled
from rules.games.table_action import At

from . import dice
from .play.pool import Ready, again, judged
from .play.tray import ready_for

ACTION, ROLL, TARGET = "roll", "roll", "target"
GROUP, CONTEST = "at least half must succeed", "the highest wins"
A_GROUP = 3
HELPED = ("skill", "knowledge")
ladder = dice.ladder
KINDS = (("skill", "Skills"), ("save", "Saving throws"), ("check", "Abilities"), ("knowledge", "Knowledges"))


def rolls(sheet: Sheet) -> list[tuple[str, list[tuple[str, str]]]]:
    """The rolls that may be asked for, in named groups of keys and names, the most common group first."""
    return [
        (group, [(key, roll.name) for key, roll in sheet.rolls.items() if key.partition(".")[0] == kind])
        for kind, group in KINDS
    ]


def in_words(bundle: Bundle, target: int) -> str:
    return f"Difficulty {target}"


def ready(at: At, answers: Mapping[str, Any]) -> Ready | None:
    """The roll as it would be made; None if the sheet has no such roll. Raises NotAllowed as the roll itself would."""
    found = ready_for(at, **answers)
    return found if isinstance(found, Ready) else None


def may_help(sheet: Sheet, key: str) -> bool:
    """True for a skill or knowledge that this character is proficient in (section 22, ruling 99)."""
    roll = sheet.rolls.get(key)
    return roll is not None and key.partition(".")[0] in HELPED and bool(roll.proficient)


def measured(bundle: Bundle, build: Build, rolled: Rolled, target: int) -> Rolled:
    """A roll that was made without a target, compared with the difficulty."""
    against = replace(rolled, target=target, opposed=False)
    return judged(again(bundle, build, against), against)


def needed(members: int) -> int | None:
    """The number of members who must succeed: half, rounded up (section 2.8). None for fewer than three (ruling 96)."""
    return (members + 1) // 2 if members >= A_GROUP else None


def winner(rolls: Sequence[Rolled]) -> int | None:
    """The index of the roll that beats each of the others; None on a tie (section 2.9, ruling 3)."""
    for place, mine in enumerate(rolls):
        others = [other for at, other in enumerate(rolls) if at != place]
        if others and all(
            dice.opposed(mine.total, other.total, my_critical=mine.critical, their_critical=other.critical) > 0
            for other in others
        ):
            return place
    return None
