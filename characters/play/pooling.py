"""Buying together: what a pool reaches, and what is for sale within its reach, before anything is bought."""

from django.core.exceptions import ValidationError

from characters.journal import Refused
from rules.games.outcome import NotAllowed

from .fields import others_ranks


def pool_for(request, live) -> dict:
    """The page's context by the ranks that it is asked for. `pool` is None where there is none to speak of."""
    game = live.shown.bundle.game
    ranks = request.POST.get("ranks") or request.GET.get("ranks", "")
    context = {"ranks": ranks[:400], "means": game.steps.means(live.shown.sheet), "pool": None}
    try:
        pool = pooled(live, ranks)
    except Refused:
        return context
    goods = game.wealth.for_sale(live.shown.bundle)
    shelves = [
        (reach.name, [one for one in goods if one.cost_class == reach.number])
        for reach in reversed(pool.classes)
        if reach.together
    ]
    return {**context, "pool": pool, "shelves": [(name, goods) for name, goods in shelves if goods]}


def pooled(live, ranks: str):
    """What the character and the others have together; Refused as the purchase would be."""
    shown = live.shown
    try:
        return shown.bundle.game.play.pool_of(shown.sheet, others_ranks().clean(ranks))
    except ValidationError as wrong:
        raise Refused(wrong.messages[0], "ranks") from wrong
    except NotAllowed as no:
        raise Refused(no.sentence, no.field) from no
