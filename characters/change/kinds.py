"""The filters of the history: what players call the kinds of changes, and the verbs of each."""

from functools import cache

from django.db.models import Q

from characters.actions.registry import actions_of
from rules.games.table_action import STORY, THINGS, Kind

LEVELS, BUILDING = Kind("levels", "Levels"), Kind("building", "Building")
# The verbs of building; what is in none of these is of the last kind.
VERBS = {
    THINGS: ["purchase", "buy_outfit"],
    STORY: ["roll_aspect", "roll_missing_aspects", "drop_aspect"],
    LEVELS: [
        *("add_xp", "set_xp", "set_level", "level_up", "take_back_level", "change_level", "drop_answer"),
        *("plan_level", "take_planned", "forget_plan"),
    ],
}


@cache
def kinds_of(game: str) -> dict[str, tuple[Kind, list[str]]]:
    """Each kind with its verbs, by its slug: those of the game's actions, then those of building."""
    verbs: dict[Kind, list[str]] = {}
    for action in actions_of(game).values():
        if action.kind:
            verbs.setdefault(action.kind, []).append(action.name)
    for kind, more in VERBS.items():
        verbs.setdefault(kind, []).extend(more)
    return {kind.slug: (kind, found) for kind, found in {**verbs, BUILDING: []}.items()}


def is_of_kind(game: str, slug: str) -> Q:
    """Changes of this kind; an undoing is of the kind of what it goes back to. They have their verb, or that of what
    they go back to, as `of`."""
    _, verbs = kinds_of(game)[slug]
    if verbs:
        return Q(of__in=verbs)
    return ~Q(of__in=[verb for _, others in kinds_of(game).values() for verb in others])
