"""Previews of rests, downtime and other events, made with their own procedures on a draft."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest

from characters.actions.act import act_of
from characters.actions.action_context import ActionContext, apply
from characters.actions.what_if import tried
from characters.change.history_entries import between, left
from characters.change.refusals import Refused
from rules.engine import derive_counters
from rules.engine.difference import DiffLine
from rules.games.outcome import Outcome
from rules.games.table_action import TableAction

from .history_page import in_words
from .live import LiveCharacter


@dataclass(frozen=True)
class Ahead:
    """The counters that would move and the conditions that would end; `why_not` is a sentence if it cannot be done
    now."""

    counters: tuple[DiffLine, ...] = ()
    ends: tuple[str, ...] = ()
    why_not: str = ""


def rest_page(request: HttpRequest, live: LiveCharacter) -> dict[str, Any]:
    """The changes of each rest, and the question before a long one if a day has not passed since the last."""
    rules = live.page_rules
    events = rules.ahead(live.bundle, live.build, live.sheet)
    return {
        "previews": {event: ahead(live, do) for event, do in events.items()},
        "slept_lately": rules.slept_lately(live.log),
    }


def ahead(live: LiveCharacter, do: Callable[..., Outcome]) -> Ahead:
    try:
        draft, _ = tried(live.character, live.version, lambda draft: apply(ActionContext(draft), do))
    except Refused as refused:
        return Ahead(why_not=refused.sentence)
    if draft.version is live.version:
        return Ahead()
    then, after = live.sheet, derive_counters(draft.bundle, draft.build)
    ends = sorted(then.conditions.keys() - after.conditions.keys())
    return Ahead(tuple(left(then, after)), tuple(live.bundle.called(ref) for ref in ends))


def downtime_ahead(live: LiveCharacter, action: TableAction, answers: Mapping[str, Any]) -> dict[str, Any]:
    """The changes of this downtime, in words. Raises Refused as its action would."""
    draft, _ = tried(live.character, live.version, act_of(action, answers, live.visitor))
    return in_words(live.bundle, between(live.sheet, draft.sheet))


def downtime_page(request: HttpRequest, live: LiveCharacter) -> dict[str, Any]:
    """The options of the form, without a preview."""
    activities = [line.action.name for line in live.sheet.actions if line.action.timing == "downtime"]
    teachable = [(one.ref, one.name) for one in live.page_rules.teachable(live.bundle, live.sheet)]
    languages = live.page_rules.spoken_here(live.bundle, live.build, live.sheet)
    return {"activities": activities, "teachable": teachable, "languages": languages, "ahead": None}
