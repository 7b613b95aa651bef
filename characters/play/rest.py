"""What rests, times and downtime would change, found out by the verbs' own code before anybody asks for them."""

from dataclasses import dataclass

from characters.history import between, conditions, left
from characters.journal import Refused
from characters.verbs.play import preview_downtime, preview_rest
from characters.verbs.play.rests import slept_lately
from characters.verbs.play.times import TAUGHT, known_to

from .history import in_words


@dataclass(frozen=True)
class Ahead:
    """The counters that would move and the conditions that would end; `why_not` is a sentence when it cannot be now."""

    counters: tuple[tuple[str, str, str], ...] = ()
    ends: tuple[str, ...] = ()
    why_not: str = ""


def rest_page(request, live) -> dict:
    """What each rest would change, and whether a long one is asked if a day has passed."""
    return {"previews": previews(live), "slept_lately": slept_lately(live.character)}


def previews(live) -> dict[str, Ahead]:
    """By event: the end of a rest that has begun, or else a short one and rallying; a long one; an adventure's end."""
    first = ("finish",) if live.shown.build.rest else ("short-rest", "rally")
    return {event: ahead(live, event) for event in (*first, "long_rest", "adventure")}


def ahead(live, event: str) -> Ahead:
    try:
        found = preview_rest(live.character, live.shown, event)
    except Refused as refused:
        return Ahead(why_not=refused.sentence)
    counters = tuple((move.name, move.before, move.after) for move in left(found.before, found.after))
    gone = conditions(live.shown.bundle.elements, found.before, found.after)
    return Ahead(counters, tuple(move.name for move in gone if not move.after))


def downtime_ahead(live, asked) -> dict:
    """What this downtime would change, in words. Raises Refused as its verb would."""
    bundle = live.shown.bundle
    after = preview_downtime(live.character, live.shown, **asked)
    return in_words(bundle, between(bundle.elements, live.shown.sheet, after.sheet))


def downtime_page(request, live) -> dict:
    """What the form offers, and nothing yet of what would come of it."""
    activities = [line.action.name for line in live.shown.sheet.actions if line.action.timing == "downtime"]
    return {"activities": activities, "teachable": teachable(live), "ahead": None}


def teachable(live) -> list[tuple[str, str]]:
    """What downtime may teach and the character does not have: by ref and name."""
    bundle, known = live.shown.bundle, known_to(live.shown.sheet)
    return [(one.ref, one.name) for kind in sorted(TAUGHT) for one in bundle.of_kind(kind) if one.ref not in known]
