"""The texts of a character, as its page shows them and as edits start from them."""

import hashlib
import json
from typing import Any

from .load_build import by_position

WORDS = ("aspect", "relationship", "note")


def digest(text: str) -> str:
    """A short hash of a text. The form that edits the text sends it back, so that a change in between is noticed."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def digest_of(value: dict[str, Any]) -> str:
    """The same for a fact with several fields; its position does not count."""
    return digest(json.dumps({name: part for name, part in value.items() if name != "position"}, sort_keys=True))


def prose(word: str, rows: dict[str, dict[str, Any]]) -> tuple[dict[str, Any], ...]:
    """The texts of one kind in their order, each with its address and the digest that an edit starts from."""
    return tuple(
        {
            **value,
            "address": f"{word}:{row}",
            "id": f"{word}-{row}",
            "row": row,
            "digest": digest(value["text"]),
            "linked": value.get("linked_id"),
        }
        for row, value in by_position(rows)
    )
