from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RollOptions:
    """The options of a roll, as the table sets them.

    advantage, disadvantage: True if there is any besides the sheet's own. dice, bonus: other dice and numbers, up or
    down. resolve: dice bought with points. unskilled: the storyteller grants no proficiency. target: a number to reach;
    opponent: a total to beat. faces: real dice, entered by hand. critical: a hit is critical whatever the dice show, as
    on somebody unconscious close by.
    """

    advantage: bool = False
    disadvantage: bool = False
    dice: int = 0
    bonus: int = 0
    resolve: int = 0
    unskilled: bool = False
    target: int | None = None
    opponent: int | None = None
    opponent_critical: bool = False
    faces: tuple[int, ...] = ()
    secret: bool = False
    critical: bool = False
