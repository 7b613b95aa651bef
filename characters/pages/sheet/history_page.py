"""The pages of the history and of its rolls: entries of one kind or all, newest first, and the marks to compare
from."""

from collections.abc import Iterable, Sequence
from datetime import date
from itertools import groupby
from typing import Any

from django.http import HttpRequest
from django.utils.timezone import localtime

from characters.actions.kinds import MOST_SHOWN, entries, kinds_of
from characters.actions.marks import marks
from characters.change import history_entries
from characters.models import Change
from characters.pages.builder.diff_text import diff_texts
from rules.engine import Bundle
from rules.engine.difference import DiffLine
from rules.number_text import number_in

from .live import LiveCharacter

A_PAGE = 25


def history_of(request: HttpRequest, live: LiveCharacter) -> dict[str, Any]:
    kind, before = kind_asked(request, live), before_asked(request)
    found = entries(live.character, kind=kind, before=before, most=A_PAGE + 1)
    return {
        "days": by_day(found[:A_PAGE]),
        "earlier": found[A_PAGE - 1].sequence if len(found) > A_PAGE else None,
        "kind": kind,
        "kinds": kinds(live),
        "before": before,
        "marks": marks(live.character),
    }


def rolls_of(request: HttpRequest, live: LiveCharacter) -> dict[str, Any]:
    before = before_asked(request)
    found = live.rolls(A_PAGE + 1, before)
    return {
        "rolls": found[:A_PAGE],
        "earlier": found[A_PAGE - 1].first.pk if len(found) > A_PAGE else None,
        "before": before,
    }


def since(request: HttpRequest, live: LiveCharacter, number: int) -> dict[str, Any]:
    """The differences since the change of this number, in words, with resources and conditions; and the changes
    since."""
    kind = kind_asked(request, live)
    found = entries(live.character, kind=kind, since=number, most=MOST_SHOWN + 1)
    return {
        **in_words(live.bundle, history_entries.since(live.character, number)),
        "days": by_day(found[:MOST_SHOWN]),
        "more": len(found) > MOST_SHOWN,
        "kind": kind,
        "kinds": kinds(live),
        "before": None,
    }


def in_words(bundle: Bundle, moves: Sequence[DiffLine]) -> dict[str, Any]:
    """Moves in words: resources left, conditions in force, and the rest as the pages of the builder say it. A resource
    that a statistic reads is left out: the statistics that it moves are listed instead, since more of it may be
    good."""
    read = {stat.spent_of for stat in bundle.stats.values()}
    left = [move for move in moves if move.kind in ("left", "spent", "condition") and move.key not in read]
    others = (move for move in moves if move.kind != "condition")
    return {"left": left, "moves": diff_texts(bundle, bundle.game.steps, others)}


def by_day(found: Iterable[Change]) -> list[tuple[date, list[Change]]]:
    return [(day, list(of_day)) for day, of_day in groupby(found, lambda one: localtime(one.at).date())]


def before_asked(request: HttpRequest) -> int | None:
    """The number of a change or a roll below which the page begins; None for the newest."""
    return number_in(request.GET.get("before") or request.POST.get("before"))


def kinds(live: LiveCharacter) -> list[tuple[str, str]]:
    """The filters that the page offers."""
    found = kinds_of(live.game.name).values()
    return [("", "Everything"), *[(kind.slug, kind.name) for kind, _ in found]]


def kind_asked(request: HttpRequest, live: LiveCharacter) -> str:
    kind = request.GET.get("kind") or request.POST.get("kind", "")
    return kind if kind in kinds_of(live.game.name) else ""
