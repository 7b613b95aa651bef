"""Buying together: the means of a pool and what is for sale within them, before anything is bought."""

from typing import Any

from django.http import HttpRequest

from characters.access import is_seated
from characters.actions.action_context import allowed
from characters.actions.form_values import numbers
from characters.actions.registry import actions_of
from characters.change.refusals import Refused
from rules.games.rows import Pool
from rules.games.table_action import Numbers

from .live import LiveCharacter


def pool_for(request: HttpRequest, live: LiveCharacter) -> dict[str, Any]:
    """The page's context for the ranks that it is asked about. `pool` is None if they make none."""
    ranks = request.POST.get("ranks") or request.GET.get("ranks", "")
    at_table = is_seated(live.character)
    context = {"ranks": ranks[:400], "means": live.game.steps.means(live.sheet), "pool": None, "at_table": at_table}
    try:
        pool = pooled(live, ranks)
    except Refused:
        return context
    goods = live.game.wealth.for_sale(live.bundle)
    shelves = [
        (reach.name, [one for one in goods if one.cost_class == reach.number])
        for reach in reversed(pool.classes)
        if reach.together
    ]
    return {**context, "pool": pool, "shelves": [(name, goods) for name, goods in shelves if goods]}


def pooled(live: LiveCharacter, ranks: str) -> Pool:
    """The means of the character together with the others; Refused as the purchase would be."""
    field = actions_of(live.game.name)[live.page_rules.BUY_TOGETHER].fields["ranks"]
    assert isinstance(field, Numbers)
    return allowed(live.page_rules.pool_of, live.sheet, numbers(field, ranks, "ranks"))
