"""Text from people and back to them: checked words in, sentences out."""

import unicodedata
from collections.abc import Iterable

from .draft import Draft
from .refusals import Refused

UNSEEN = ("Cf", "Mn", "Zs")  # joiners, marks and spaces: nothing is seen of them by themselves


def clean(text: object, *, limit: int, field: str, empty: str = "") -> str:
    """One line of a player's own words, without the space around it.

    Refused when it is no text, longer than `limit`, holds characters that cannot be stored or shown, or is empty and
    `empty` says what is missing.
    """
    if not isinstance(text, str):
        raise Refused("That is not text.", field)
    if len(text) > limit * 4:
        raise Refused(f"That is too long: at most {limit} characters.", field)
    text = " ".join(text.split())
    if any(unicodedata.category(character) in ("Cc", "Cs") for character in text):
        raise Refused("It holds characters that this site cannot store.", field)
    if len(text) > limit:
        raise Refused(f"That is too long: at most {limit} characters.", field)
    if all(unicodedata.category(character) in UNSEEN for character in text):
        text = ""
    if empty and not text:
        raise Refused(empty, field)
    return text


def whole(number: object, *, least: int, most: int, field: str) -> int:
    """A whole number within bounds; Refused otherwise."""
    if isinstance(number, bool) or not isinstance(number, int) or not least <= number <= most:
        raise Refused(f"Enter a whole number from {in_digits(least)} to {in_digits(most)}.", field)
    return number


def in_digits(number: int) -> str:
    """`1,000`, `−7`."""
    return f"{number:,}".replace("-", "−")  # noqa: RUF001


def who(draft: Draft) -> str:
    """The character as the subject of a sentence."""
    return draft.read("field:name") or "The character"


def listed(words: Iterable[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    words = list(words)
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}" if words else "nothing"
