"""A roll before it is made: pool, modifiers and exact chance, by the key that the sheet's buttons carry."""

from typing import Any

from characters.actions.action_context import ActionContext, allowed
from characters.change.draft import Draft

from .live import LiveCharacter


def ready_for(live: LiveCharacter, answers: dict[str, Any]) -> Any:
    """The roll as it would be made; None for a key the sheet does not have. Raises Refused as the action would."""
    at = ActionContext(Draft(live.character, live.version), live.visitor)
    return allowed(live.page_rules.ready_for, at, **answers)
