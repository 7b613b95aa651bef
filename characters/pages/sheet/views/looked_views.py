"""The Seen button: the owner is not shown the same changes by others and effects of new rules again.

`number` is the newest change that the page showed, `rules` the revision of the newest publication; each is sent if
there was something to show.
"""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from characters import unseen
from characters.pages.responses import SeeOther
from characters.pages.sheet.drawn_forms import Refusal
from characters.pages.sheet.live import LiveCharacter
from characters.pages.sheet.live_pages import PAGES
from rules.number_text import number_in

WRONG = "Nothing was marked as seen. Press Seen again."


@require_http_methods(["POST", "GET", "HEAD"])
def seen(request: HttpRequest, pk: int) -> HttpResponse:
    if request.method != "POST":  # someone reloads the address of a form that was refused
        return redirect("characters:sheet", pk=pk)
    live = LiveCharacter.playable(request, pk)
    if not live.role.owns:
        raise Http404("Only the owner has this list.")
    newest = {"number": live.character.version, "rules": live.bundle.newest}
    seen = {field: number_in(request.POST[field]) or 0 for field in newest if field in request.POST}
    if not seen or any(not 1 <= number <= newest[field] for field, number in seen.items()):
        return PAGES[""].show(request, live, status=422, refusal=Refusal("looked", WRONG))
    if "number" in seen:
        unseen.note_seen(live.character, live.visitor, seen["number"])
    if "rules" in seen:
        unseen.note_rules_seen(live.character, seen["rules"])
    return SeeOther(live.base)
