"""One character at the table helps another with a roll that was asked for, by the rule of their game."""

from collections.abc import Mapping
from typing import Any

from characters.change.arguments import shortened
from characters.change.refusals import Refused
from characters.models import Character
from characters.read.versions import Version
from rules.number_text import number_in

HELP = "help-"  # followed by the helper's id; sent for the character who is helped
REASON = 160
NOBODY = "Choose another character at this table to help."


def helper_in(option: str) -> int | None:
    """The helper's id, read from the option sent for the character who is helped; None if nobody helps."""
    return number_in(option.removeprefix(HELP)) if option.startswith(HELP) else None


def helper_of(
    helped: int, option: str, sent: Mapping[str, Any], able: Mapping[int, tuple[Character, Version]]
) -> Character | None:
    """The helper of the character with the id `helped` in the roll that is asked for; None if nobody helps.

    able: the characters at the table, by id. Raises Refused unless the helper is another of them, who can help.
    """
    pk = helper_in(option)
    if pk is None:
        return None
    if pk == helped or pk not in able:
        raise Refused(NOBODY, "to")
    helper, version = able[pk]
    asking = version.bundle.game.asking
    if asking is None:
        raise Refused(NOBODY, "to")
    key = str(sent.get(asking.ROLL, ""))
    if not asking.may_help(version.sheet, key):
        roll = version.sheet.rolls.get(key)
        what = f"with {roll.name}" if roll else "with that"
        raise Refused(f"{helper} cannot help {what}: only those proficient in it can.", "to")
    return helper


def with_help(reason: str, helper: Character | None) -> str:
    """The reason that the player reads."""
    if helper is None:
        return reason
    return shortened(f"{reason} ({helper} helps)" if reason else f"{helper} helps", REASON)
