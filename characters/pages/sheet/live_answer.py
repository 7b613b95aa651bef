"""Answers of a live page to an action: the regions that moved, a plain redirect, or the refusal beside its field."""

import json
from collections.abc import Mapping, Sequence

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from characters.actions.act import run
from characters.actions.registry import action_of, actions_of
from characters.change.refusals import Refused, StalePage
from characters.pages.responses import SeeOther
from characters.people import visitor_of
from characters.read import version_cache
from rules.games.region import Region
from rules.games.table_action import TableAction

from .drawn_forms import Refusal
from .left_typed import left_typed
from .live import LiveCharacter
from .live_pages import PAGES, LivePage
from .live_regions import LATEST, TRAY, changed_regions, drawn

DICE = "roll"  # the form of the tray, whose fields go with several actions


@require_http_methods(["POST", "GET", "HEAD"])
def run_and_answer(request: HttpRequest, pk: int, name: str) -> HttpResponse:
    """Run the action of this name, and answer. Each action has its own address (`urls.py`)."""
    if request.method != "POST":  # someone reloads the address of a form that was refused
        return redirect("characters:sheet", pk=pk)
    person = visitor_of(request)
    try:
        change = run(pk, person, request.POST.get("key", ""), name, request.POST)
    except Refused as refused:
        return refuse(request, pk, name, refused)
    live = LiveCharacter.after(change, person)
    page = page_for(request, live)
    if not request.htmx:
        if not page.tells:
            messages.success(request, change.sentence)
        place, typed = place_of(action_of(pk, name), request.POST, live), left_typed(request.POST)
        return SeeOther(page.url(pk, request.POST, place, **typed))
    regions = page.regions or moved_regions(request, live)
    response = HttpResponse(drawn(request, live, regions, page=page.posted_as, **page.more(request, live)))
    return spoken(response, live, change.sentence)


def place_of(action: TableAction, posted: Mapping[str, str], live: LiveCharacter) -> str:
    """The region that a plain form comes back to: the action's own, or the one that the game shows instead; for the
    tray, which is always in view, the region of what was rolled."""
    game, region = live.game, action.region
    if region == "tray":
        region = game.play.region_of(posted.get("roll", ""))
    instead = [one for one in game.regions if one.instead_of == region]
    return next((one.id for one in instead if one.of(live.version)), region)


def refuse(request: HttpRequest, pk: int, name: str, refused: Refused) -> HttpResponse:
    """The form's region again, with the sentence by the field and the posted values.

    A visitor who may not play gets 404, whatever they sent; so does everyone if it is an action of another game.
    """
    live, action = LiveCharacter.playable(request, pk), action_of(pk, name)
    if actions_of(live.game.name).get(name) is not action:
        raise Http404("No such action.")
    page = page_for(request, live)
    theirs = refused.stored if isinstance(refused, StalePage) else None
    form_id = refused.form or form_of(action, request.POST)
    refusal = Refusal(form_id, refused.sentence, refused.field, request.POST.dict(), theirs)
    if not request.htmx:
        return page.show(request, live, status=refused.status, refusal=refusal)
    region = "tray" if request.POST.get("tray") == DICE else action.region
    regions = page.regions or [one for one in (*live.game.regions, TRAY) if one.id == region]
    more = {"page": page.posted_as, **page.more(request, live), "refusal": refusal}
    text = drawn(request, live, regions, **more)
    if not refusal.rendered:
        text += drawn(request, live, [LATEST], **more)
    # The page still shows its former version, so it asks for what others have changed elsewhere on it, which is not
    # drawn here. Nothing is said in the status region: the sentence by the field is an alert.
    response = HttpResponse(text, status=refused.status)
    here = {"version": live.version_number, "regions": [one.id for one in (*regions, LATEST)]}
    response.headers["HX-Trigger"] = json.dumps({"refused": here})
    return response


def form_of(action: TableAction, posted: Mapping[str, str]) -> str:
    """The name of the form on its page."""
    if posted.get("tray") == DICE:
        return DICE
    values = [posted.get(field, "")[:80].replace(":", "-") for field in action.by]
    return "-".join([action.form or action.slug, *values])


def spoken(response: HttpResponse, live: LiveCharacter, sentence: str) -> HttpResponse:
    """Say the sentence in the page's status region, and which version the page shows from now on."""
    triggers = {"say": {"value": sentence}, "version": {"value": live.version_number}}
    response.headers["HX-Trigger"] = json.dumps(triggers)
    return response


def moved_regions(request: HttpRequest, live: LiveCharacter) -> Sequence[Region]:
    """The regions that differ from the version that the asking page shows, by the number that it sends, and LATEST."""
    shown = version_cache.find(live.character.pk, request.headers.get("X-Version", ""))
    return (*changed_regions(shown, live.version), LATEST)


def page_for(request: HttpRequest, live: LiveCharacter) -> LivePage:
    """The page that a form says it is on; the sheet, if the character's game has no such page."""
    page = PAGES.get(request.POST.get("page", ""), PAGES[""])
    return page if page.is_of(live.game) else PAGES[""]
