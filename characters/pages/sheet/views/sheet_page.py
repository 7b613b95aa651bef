"""The sheet, and for each of its numbers a page that explains it and a page of chances."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe

from characters.pages.game_templates import template_of
from characters.pages.sheet.left_typed import typed_again
from characters.pages.sheet.live import LiveCharacter
from characters.pages.sheet.live_pages import PAGES
from characters.read import explanations
from characters.read.open import OpenCharacter

from ..sheet_html import body


@require_safe
def sheet(request: HttpRequest, **where: Any) -> HttpResponse:
    opened = LiveCharacter.readable(request, **where)
    if opened.live:
        return PAGES[""].show(request, opened, refusal=typed_again(request.GET))
    context = {**opened.context, "live": None, "base": opened.base}
    context["regions"] = body(request, context, beside=opened.copy_lacks)
    return render(request, template_of(opened.bundle, "sheet/page.html"), context)


@require_safe
def explain(request: HttpRequest, key: str, **where: Any) -> HttpResponse:
    opened = OpenCharacter.readable(request, **where)
    explanation = explanations.explain(opened.bundle, opened.sheet, key)
    if explanation is None:
        raise Http404
    return _beside(request, "explanation", {"opened": opened, "bundle": opened.bundle, "explanation": explanation})


@require_safe
def odds(request: HttpRequest, key: str, **where: Any) -> HttpResponse:
    opened = OpenCharacter.readable(request, **where)
    bundle = opened.bundle
    explanation = explanations.explain(bundle, opened.sheet, key)
    roll = explanations.roll_of(opened.sheet, key)
    if roll is None:
        raise Http404
    found = bundle.game.chances(bundle, opened.build.switches, roll)
    context = {"opened": opened, "bundle": bundle, "explanation": explanation, "roll": roll, "chances": found}
    return _beside(request, "odds", context)


def _beside(request: HttpRequest, name: str, context: dict[str, Any]) -> HttpResponse:
    """Only the panel for htmx, a whole page for a plain browser."""
    place = "panel" if request.htmx else "page"
    response = render(request, template_of(context["bundle"], f"{name}_{place}.html"), context)
    patch_vary_headers(response, ["HX-Request"])
    return response
