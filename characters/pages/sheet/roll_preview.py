"""A roll before it is made: pool, modifiers and exact chance, by the key that the sheet's buttons carry."""

from typing import Any

from django.http import HttpRequest

from characters.actions.action_context import ActionContext, allowed
from characters.change.draft import Draft

from .history_page import before_asked
from .live import LiveCharacter

A_PAGE = 25


def ready_for(live: LiveCharacter, answers: dict[str, Any]) -> Any:
    """The roll as it would be made; None for a key the sheet does not have. Raises Refused as the action would."""
    at = ActionContext(Draft(live.character, live.version), live.visitor)
    return allowed(live.page_rules.ready_for, at, **answers)


def rolls_of(request: HttpRequest, live: LiveCharacter) -> dict[str, Any]:
    before = before_asked(request)
    found = live.rolls(A_PAGE + 1, before)
    return {
        "rolls": found[:A_PAGE],
        "earlier": found[A_PAGE - 1].first.pk if len(found) > A_PAGE else None,
        "before": before,
    }
