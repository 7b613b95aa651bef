"""The page that explains a sheet, and the form by which a visitor says that they have read it."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from characters import introductions
from characters.pages.game_templates import template_of
from characters.pages.responses import SeeOther
from characters.pages.sheet.live import LiveCharacter


@require_http_methods(["GET", "HEAD", "POST"])
def introduction(request: HttpRequest, pk: int) -> HttpResponse:
    live = LiveCharacter.playable(request, pk)
    if request.method == "POST":
        introductions.note_read(live.visitor)
        return SeeOther(live.base)
    context = live.context | {"base": live.base}
    return render(request, template_of(live.bundle, "sheet/introduction_page.html"), context)
