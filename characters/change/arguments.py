"""The arguments of a verb: hashed, to recognize a form that is sent twice, and stored as data with the change."""

import hashlib
import json
import re
from typing import Any

# A longer text is in the facts that the change wrote, and is not stored twice.
LONGEST = 300
# Characters that a database refuses in JSON. No argument that is read later contains one.
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def fingerprint_of(**arguments: object) -> str:
    """A hash of what a form asked for: the same for the same request, whatever the order of its fields."""
    text = json.dumps(arguments, sort_keys=True, ensure_ascii=True, default=sorted)
    return hashlib.sha256(text.encode()).hexdigest()


def storable(value: Any) -> Any:
    """The arguments as JSON stores them: sets and tuples as lists, without texts that are too long or cannot be
    stored."""
    if isinstance(value, dict):
        return {key: storable(one) for key, one in value.items() if _storable(key) and _storable(one)}
    if isinstance(value, set | frozenset):
        value = sorted(value)
    return [storable(one) for one in value if _storable(one)] if isinstance(value, list | tuple) else value


def _storable(value: Any) -> bool:
    return not isinstance(value, str) or len(value) <= LONGEST and not UNSTORABLE.search(value)


def shortened(sentence: str, limit: int = 300) -> str:
    return sentence if len(sentence) <= limit else sentence[: limit - 1] + "…"
