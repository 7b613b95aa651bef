"""Proposals to a character's player, and their answer."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from characters.actions import proposals
from characters.change.refusals import Refused
from characters.pages.game_templates import template_of
from characters.pages.responses import SeeOther, render_spoken
from characters.pages.sheet.live import LiveCharacter
from characters.pages.sheet.live_answer import moved_regions, spoken
from characters.pages.sheet.live_regions import drawn
from characters.people import visitor_of
from rules.number_text import number_in

PART = "play/_proposed.html"


@require_safe
def show(request: HttpRequest, pk: int) -> HttpResponse:
    """The waiting proposals, for a part of the sheet that asks again when they change."""
    live = LiveCharacter.playable(request, pk)
    return render(request, template_of(live.bundle, PART), shown(live))


def shown(live: LiveCharacter) -> dict[str, Any]:
    return {"live": live, "character": live.character, "base": live.base}


@require_http_methods(["POST", "GET", "HEAD"])
def answer(request: HttpRequest, pk: int, proposal: int) -> HttpResponse:
    """Answer yes, in the way of the pressed button, or no. For htmx, the proposals that still wait and the regions that
    moved, so that nothing typed elsewhere on the sheet is lost."""
    if request.method != "POST":
        return redirect("characters:sheet", pk=pk)
    person, way, change = visitor_of(request), request.POST.get("way", ""), None
    try:
        if way == "no":
            proposals.decline(pk, person, proposal)
            messages.success(request, "Declined.")
        else:
            number = number_in(way, 99)
            change = proposals.answer(pk, person, proposal, -1 if number is None else number, request.POST)
    except Refused as refused:
        return refuse(request, pk, proposal, refused)
    live = LiveCharacter.after(change, person) if change else LiveCharacter.playable(request, pk)
    if not request.htmx:
        return SeeOther(f"{live.base}#proposed")  # the tray tells of the change
    response = render_spoken(request, template_of(live.bundle, PART), shown(live))
    if change is None:
        return response
    response.write(drawn(request, live, moved_regions(request, live)))
    return spoken(response, live, change.sentence)


def refuse(request: HttpRequest, pk: int, proposal: int, refused: Refused) -> HttpResponse:
    """The proposals alone, with the reason beside the one that was answered, or above them if it no longer waits."""
    live = LiveCharacter.playable(request, pk)
    context = {
        **shown(live),
        "refused": refused,
        "refused_at": proposal,
        "still_waits": any(one.proposal.pk == proposal for one in live.proposals),
        "typed": request.POST,
    }
    template = PART if request.htmx else "play/proposed.html"
    return render(request, template_of(live.bundle, template), context, status=422)
