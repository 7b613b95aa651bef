"""The texts of a character, as its page shows them and as edits start from them."""

import hashlib
import json
from typing import Any

WORDS = ("aspect", "relationship", "note")


def mark(text: str) -> str:
    """A short hash of a text. The form that edits the text sends it back, so that a change in between is noticed."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def mark_of(value: dict[str, Any]) -> str:
    """The same for a fact with several fields; its position does not count."""
    return mark(json.dumps({name: part for name, part in value.items() if name != "position"}, sort_keys=True))


def prose(facts: dict[str, Any], word: str) -> tuple[dict[str, Any], ...]:
    """The texts of one kind in their order, each with its address and the mark that an edit starts from."""
    found = [(address, value) for address, value in facts.items() if address.startswith(f"{word}:")]
    found.sort(key=lambda pair: (pair[1]["position"], int(pair[0].partition(":")[2])))
    return tuple(
        {
            **value,
            "address": address,
            "id": address.replace(":", "-"),
            "row": address.partition(":")[2],
            "mark": mark(value["text"]),
            "linked": value.get("linked_id"),
        }
        for address, value in found
    )
