"""Seen: what others have changed of a character is not shown to its owner again."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from characters import unseen
from characters.pages.builder.step_answer import SeeOther
from characters.pages.sheet.drawn_forms import Refusal
from characters.pages.sheet.live import LiveCharacter
from characters.pages.sheet.live_pages import PAGES

WRONG = "Nothing was marked as seen. Press Seen again."


@require_http_methods(["POST", "GET", "HEAD"])
def seen(request: HttpRequest, pk: int) -> HttpResponse:
    if request.method != "POST":  # the address of a page that refused, asked for again
        return redirect("characters:sheet", pk=pk)
    live = LiveCharacter.playable(request, pk)
    if not live.role.owns:
        raise Http404("Only the owner has this list.")
    sent = request.POST.get("number", "")
    number = int(sent) if sent.isascii() and sent.isdigit() and len(sent) < 18 else 0
    if not 1 <= number <= live.character.version:
        return PAGES[""].show(request, live, status=422, refusal=Refusal("looked", WRONG))
    unseen.note_seen(live.character, live.visitor, number)
    return SeeOther(live.base)
