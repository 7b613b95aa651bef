"""A roll before it is made: pool, modifiers and exact chance, by the key that the sheet's buttons carry."""

from characters.actions.action_context import ActionContext, allowed
from characters.change.journal import Draft

from .history_page import before_asked

A_PAGE = 25


def ready_for(live, answers: dict):
    """The roll as it would be made; None for a key the sheet does not have. Raises Refused as the action would."""
    at = ActionContext(Draft(live.character, live.version), live.visitor)
    return allowed(at.game.ready_for, at, **answers)


def rolls_of(request, live) -> dict:
    before = before_asked(request)
    found = live.rolls(A_PAGE + 1, before)
    return {
        "rolls": found[:A_PAGE],
        "earlier": found[A_PAGE - 1].first.pk if len(found) > A_PAGE else None,
        "before": before,
    }
