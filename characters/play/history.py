"""What the history page shows: entries of one kind or all, newest first, and the marks to compare from."""

from itertools import groupby

from django.utils.timezone import localtime

from characters import history
from characters.builder.moves import said
from rules.systems import system_of

A_PAGE = 50
KINDS = (("", "Everything"), *((slug, name) for slug, (name, _) in history.KINDS.items()))


def history_of(request, live) -> dict:
    kind = kind_asked(request)
    before = request.GET.get("before", "")
    before = int(before) if before.isascii() and before.isdigit() and len(before) < 18 else None
    found = history.entries(live.character, kind=kind, before=before, most=A_PAGE + 1)
    return {
        "days": by_day(found[:A_PAGE]),
        "earlier": found[A_PAGE - 1].number if len(found) > A_PAGE else None,
        "kind": kind,
        "kinds": KINDS,
        "marks": history.marks(live.character),
    }


def since(request, live, number: int) -> dict:
    """What has changed since the change of this number, as the compare pages say it, and what is left or in force."""
    moves, kind = history.since(live.character, number), kind_asked(request)
    bundle = live.shown.bundle
    return {
        "left": [move for move in moves if move.kind in ("left", "condition")],
        "moves": said(bundle, system_of(bundle.system).steps, moves),
        "days": by_day(history.entries(live.character, kind=kind, since=number)),
        "kind": kind,
        "kinds": KINDS,
    }


def by_day(entries) -> list[tuple]:
    return [(day, list(found)) for day, found in groupby(entries, lambda one: localtime(one.at).date())]


def kind_asked(request) -> str:
    kind = request.GET.get("kind") or request.POST.get("kind", "")
    return kind if kind in history.KINDS else ""
