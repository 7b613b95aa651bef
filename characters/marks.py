"""The marks in a character's history, such as “last night”, to compare with later."""

from datetime import datetime

from rules.prepared import MARKS, PreparedObjects

from .models import Change, standing

MARKED = PreparedObjects(
    lambda character: (
        Change.objects.filter(standing(), character=character, verb="mark")
        .order_by("-sequence")
        .only("sequence", "what", "at")
    ),
    MARKS[0],
)


def marks(character) -> list[tuple[int, str, datetime]]:
    """The marks that stand, newest first: number, name, moment."""
    found = MARKED.all(character.pk)
    return [(mark.sequence, mark.what["name"], mark.at) for mark in found]
