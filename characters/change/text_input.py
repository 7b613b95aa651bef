"""Checks of text that people type, and small building blocks of the sentences that answer them."""

import unicodedata

from .draft import Draft
from .refusals import Refused

UNSEEN = ("Cf", "Mn", "Zs")  # joiners, marks and spaces, invisible by themselves
# Marks that override the text's direction: in a name, they could reverse the rest of a line. Letters need none of them.
TURNING = dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A)])
TOO_LONG = "That is too long: at most {:,} characters."
NOT_STORED = "It contains characters that this site cannot save."


def clean(text: object, *, limit: int, field: str, empty: str = "") -> str:
    """One line of a player's own words, trimmed.

    Raises Refused if it is not text, is longer than `limit` or contains characters that cannot be stored or shown; and,
    where `empty` is a sentence for that, if it is empty.
    """
    line = " ".join(_text(text, limit, field).split())
    _check(line, limit, field)
    return _seen(line, field, empty)


def several_lines(text: object, *, limit: int, field: str, empty: str = "") -> str:
    """Several lines, each without spaces at its end. Refused as by `clean`."""
    lines = _text(text, limit, field).replace("\r\n", "\n").replace("\r", "\n").split("\n")
    found = "\n".join(line.rstrip() for line in lines).strip()
    _check(found, limit, field, besides="\n")
    return _seen(found, field, empty)


def _seen(text: str, field: str, empty: str) -> str:
    """The text, or "" if none of it is visible. With a sentence in `empty`, that is refused instead."""
    if all(one == "\n" or unicodedata.category(one) in UNSEEN for one in text):
        text = ""
    if empty and not text:
        raise Refused(empty, field)
    return text


def _text(text: object, limit: int, field: str) -> str:
    """The text without marks of direction. Raises Refused if it is not text, or so long that trimming cannot help."""
    if not isinstance(text, str):
        raise Refused("That is not text.", field)
    if len(text) > limit * 4:
        raise Refused(TOO_LONG.format(limit), field)
    return text.translate(TURNING)


def _check(text: str, limit: int, field: str, besides: str = "") -> None:
    """Raise Refused if it is too long, or contains a control character that is not in `besides`."""
    if any(unicodedata.category(one) in ("Cc", "Cs") and one not in besides for one in text):
        raise Refused(NOT_STORED, field)
    if len(text) > limit:
        raise Refused(TOO_LONG.format(limit), field)


def in_digits(number: int) -> str:
    """`1,000`, `−7`."""
    return f"{number:,}".replace("-", "−")


def who(draft: Draft) -> str:
    """The character as the subject of a sentence."""
    return draft.read("field:name") or "The character"


def one_level(draft: Draft, level: int) -> str:
    """A level within a sentence, as the game calls it: `level 3`."""
    return f"{draft.bundle.game.levels.NAME} {level}"
