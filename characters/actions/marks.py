"""The marks in a character's history, such as “last night”, to compare with later."""

from datetime import datetime

from characters.change.refusals import Refused
from characters.models import Change, Character, not_undone
from rules.fast_sql import PLACEHOLDERS, PreparedObjects
from rules.games.outcome import Outcome
from rules.games.table_action import RESTS, TableAction, Text

from .action_context import ActionContext

MOST_MARKS = 100

MARKED = PreparedObjects(
    lambda character: (
        Change.objects.filter(not_undone(), character=character, verb="mark")
        .order_by("-sequence")
        .only("sequence", "what", "at")
    ),
    PLACEHOLDERS[0],
)


def marks(character: Character) -> list[tuple[int, str, datetime]]:
    """The marks in force, newest first: number, name, moment."""
    found = MARKED.all(character.pk)
    return [(mark.sequence, mark.what["name"], mark.at) for mark in found]


def mark(at: ActionContext, *, name: str) -> Outcome:
    if len(marks(at.draft.character)) >= MOST_MARKS:
        raise Refused(f"At most {MOST_MARKS} marks: undo one of them in the history first.", "name")
    return Outcome(f"Mark: {name}.")


ACTIONS = (TableAction("mark", mark, RESTS, "history", {"name": Text(80, empty="Give the mark a name.")}),)
