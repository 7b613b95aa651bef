"""`perform` for verbs that change a character's numbers through its decisions."""

from typing import Any

from characters.actions.action_context import resized
from characters.change.journal import Act, perform
from characters.models import Change
from characters.people import Person


def rebuild(pk: int, person: Person, verb: str, key: str, what: dict[str, Any], act: Act) -> Change:
    """Call `perform`; a character in play then falls or wakes if the new numbers say so."""
    return perform(pk, person, verb, key, what, lambda draft: act(draft) + resized(draft))
