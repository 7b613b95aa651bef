"""Proposals to a character's player, and their answer."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from characters.actions import proposals
from characters.change.refusals import Refused
from characters.pages.game_templates import template_of
from characters.pages.responses import SeeOther
from characters.pages.sheet.live import LiveCharacter
from characters.people import visitor_of
from rules.number_text import number_in


@require_safe
def show(request: HttpRequest, pk: int) -> HttpResponse:
    """The waiting proposals, for a part of the sheet that asks again when they change."""
    live = LiveCharacter.playable(request, pk)
    context = {"live": live, "character": live.character, "base": live.base}
    return render(request, template_of(live.bundle, "play/_proposed.html"), context)


@require_http_methods(["POST", "GET", "HEAD"])
def answer(request: HttpRequest, pk: int, proposal: int) -> HttpResponse:
    """Yes, in the way of the button that was pressed, or no."""
    if request.method != "POST":
        return redirect("characters:sheet", pk=pk)
    person, way = visitor_of(request), request.POST.get("way", "")
    try:
        if way == "no":
            proposals.decline(pk, person, proposal)
            messages.success(request, "Declined.")
        else:
            number = number_in(way, 99)
            proposals.answer(pk, person, proposal, -1 if number is None else number, request.POST)  # the tray tells it
    except Refused as refused:
        return refuse(request, pk, proposal, refused)
    return SeeOther(f"{LiveCharacter.playable(request, pk).base}#proposed")


def refuse(request: HttpRequest, pk: int, proposal: int, refused: Refused) -> HttpResponse:
    """The proposals alone, with the reason beside the one that was answered, or above them if it no longer waits."""
    live = LiveCharacter.playable(request, pk)
    context = {
        "live": live,
        "character": live.character,
        "base": live.base,
        "refused": refused,
        "refused_at": proposal,
        "still_waits": any(one.proposal.pk == proposal for one in live.proposals),
        "typed": request.POST,
    }
    return render(request, template_of(live.bundle, "play/proposed.html"), context, status=422)
