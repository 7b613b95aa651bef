"""Publishes homebrew: shows the changes, the characters whose numbers they move, and what is in the way."""

import logging
from dataclasses import dataclass, field

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from characters.pages.publications.moved_characters import AT_ONCE, MovedCharacter, holders, moved_by_publishing
from characters.pages.responses import SeeOther
from rules.models import Source
from rules.publications import publish
from rules.unpublished import Unpublished

from .place import HomebrewPlace
from .unpublished_entries import MOVED_ON, faults_of, lines_of, shown

BROKEN = "The sheets cannot be worked out with these entries. Fix what is wrong before you publish."


@require_http_methods(["GET", "HEAD", "POST"])
def to_publish(request: HttpRequest, place: HomebrewPlace) -> HttpResponse:
    """Shows the changes, and the characters whose numbers they move; by POST, puts them in force."""
    if request.method != "POST":
        return _publish_page(request, place)
    now = place.source()
    # Before the lock, which others wait for. If anything changes in between, `saw` shows it.
    broken = _tried(place, Unpublished(now)).faults if now else []
    with transaction.atomic():
        source = place.locked()
        refusals = _refusals(source, request.POST.get("saw", "")) or broken
        if not refusals:
            first = not source.revision
            publish(source, request.user)
        transaction.set_rollback(bool(refusals))
    if refusals:
        return _publish_page(request, place, refusals, status=422)
    messages.success(request, "Published. Now put it in play." if first and place.plays() else "Published.")
    return SeeOther(place.list_url)


def _refusals(source: Source, saw: str) -> list[str]:
    found = Unpublished(source)
    if not lines_of(found):  # before `saw`: a second press of the same button finds nothing to publish
        return ["There is nothing to publish."]
    if saw != found.stamp:
        return [MOVED_ON]
    return faults_of(found)


@dataclass(frozen=True)
class PublishTrial:
    """The effect of the changes on the `tried` characters; `elsewhere` is the number of those that the writer may not
    read."""

    faults: list[str] = field(default_factory=list)
    moved: list[MovedCharacter] = field(default_factory=list)
    tried: int = 0
    elsewhere: int = 0


def _tried(place: HomebrewPlace, found: Unpublished) -> PublishTrial:
    if not lines_of(found):
        return PublishTrial()
    if faults := faults_of(found):
        return PublishTrial(faults)
    playing = holders(found.source.ruleset.slug, found.source.slug, is_core=False)
    few = list(playing.filter(pk__in=place.characters().values("pk"))[:AT_ONCE])
    elsewhere = playing.exclude(pk__in=place.characters().values("pk")).count()
    try:
        moved = moved_by_publishing(found.source, few, [found.working, *found.others]) if few else []
    except Exception:  # unpublished rows can break the code of any game, and their author has to know
        logging.getLogger(__name__).exception("Homebrew whose rules cannot be worked out")
        return PublishTrial([BROKEN], [], len(few), elsewhere)
    return PublishTrial([], moved, len(few), elsewhere)


def _publish_page(
    request: HttpRequest, place: HomebrewPlace, refusals: list[str] | None = None, status: int = 200
) -> HttpResponse:
    source = place.source()
    found = Unpublished(source) if source else None
    lines = lines_of(found) if found else []
    trial = _tried(place, found) if found else PublishTrial()
    context = {
        "place": place,
        "lines": shown(lines) or lines,
        "faults": [] if refusals else trial.faults,
        "refusals": refusals or [],
        "moved": trial.moved,
        "tried": trial.tried,
        "elsewhere": trial.elsewhere,
        "saw": found.stamp if found else "",
    }
    return render(request, "characters/homebrew/publish.html", context, status=status)
