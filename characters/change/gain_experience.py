"""Changes of experience, by a player's own verb or by a storyteller's act."""

from . import fact_address
from .draft import Draft
from .refusals import Refused
from .text_input import in_digits, one_level, who

MOST = fact_address.highest("field:xp")
AT_ONCE = 3  # levels


class AskFirst(Refused):
    """Allowed, but rarely meant: it is done if the form comes again with `sure`."""


def check_leap(draft: Draft, before: int, sure: bool) -> None:
    """Ask before the level moves by more than AT_ONCE: an extra zero is easily typed."""
    level = draft.sheet.level
    if sure or abs(level - before) <= AT_ONCE:
        return
    levels = draft.bundle.game.levels
    by_milestone = levels.by_milestone(draft.bundle, draft.build)
    having = "" if by_milestone else f" with {draft.read('field:xp'):,} {levels.POINTS}"
    leap = f"{abs(level - before)} {levels.NAME}s"
    raise AskFirst(f"That is {leap} at once. {who(draft)} would be {one_level(draft, level)}{having}.")


def check_range(draft: Draft, xp: int, field: str = "") -> None:
    """Raise Refused if a character cannot have this much experience."""
    if not 0 <= xp <= MOST:
        points = draft.bundle.game.levels.POINTS
        raise Refused(f"That would make {in_digits(xp)} {points}; it can be from 0 to {MOST:,}.", field)


def gained(draft: Draft, *, amount: int, reason: str, sure: bool) -> str:
    """Change the draft's experience by `amount`; returns the sentence for the history. Raises AskFirst for a leap that
    is not `sure`."""
    points = draft.bundle.game.levels.POINTS
    if not amount:
        raise Refused(f"That comes to 0 {points}. Enter an amount.", "amount")
    before = draft.sheet.level
    draft.add("field:xp", amount)
    now = draft.read("field:xp")
    check_range(draft, now, "amount")
    check_leap(draft, before, sure)
    level = draft.sheet.level
    moved = f" {one_level(draft, before).capitalize()} to {level}." if level != before else ""
    what = f"{who(draft)} {'gains' if amount > 0 else 'loses'} {abs(amount):,} {points}"
    return f"{what}{f' ({reason})' if reason else ''} and has {now:,}.{moved}"
