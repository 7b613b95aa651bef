"""The options of a roll: the fields of its form, and the aspect invoked for it (sections 2 and 23)."""

from collections.abc import Mapping
from typing import Any

from rules.games.dice_text import MOST_DICE
from rules.games.outcome import NotAllowed
from rules.games.table_action import FACES, At, Field, Number, OneOf, Tick, Word

from .pool import RollOptions

SIDES = ("advantage", "disadvantage")
ASPECT = Word(80)
HOW: Mapping[str, Field] = {
    "side": OneOf(SIDES, "Choose advantage, disadvantage or neither.", otherwise=""),
    "unskilled": Tick(),
    "dice": Number(-MOST_DICE, MOST_DICE, otherwise=0),
    "bonus": Number(-1_000, 1_000, otherwise=0),
    "resolve": Number(0, MOST_DICE, otherwise=0),
    "aspect": ASPECT,
    "target": Number(-1_000, 1_000),
    "opponent": Number(-1_000, 1_000),
    "opponent_critical": Tick(),
    "faces": FACES,
    "secret": Tick(),
    "critical": Tick(),
}


def asked_how(*, side: str = "", **how: Any) -> RollOptions:
    """The options of a roll, from the answers to the fields HOW, without the aspect."""
    return RollOptions(advantage=side == "advantage", disadvantage=side == "disadvantage", **how)


def invoke(at: At, aspect: str, asked: RollOptions) -> None:
    """Check the aspect that is invoked for dice bought before the roll. It counts for that roll alone (section
    23.2)."""
    if not aspect:
        return
    at.words_of(aspect)
    if not asked.resolve:
        raise NotAllowed("Choose an aspect only when you spend Resolve.", "aspect")
