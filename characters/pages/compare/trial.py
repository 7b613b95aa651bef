"""Other rules tried on a character: one form, previewed as often as the player likes, then saved."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django_htmx.http import trigger_client_event

from characters.change.refusals import Refused
from characters.models import Change
from characters.pages.game_templates import template_of
from characters.pages.responses import SeeOther, add_refusal
from characters.read.open import OpenCharacter
from characters.verbs.leveling import StalePage

from .comparison_text import ComparisonSection


@dataclass(frozen=True)
class RulesTrial:
    """The values that differ from those in force, and the moves they bring. `saw` goes to the verb that saves them."""

    rules: tuple[tuple[str, str, str], ...]  # name, value now, value then
    sections: tuple[ComparisonSection, ...]
    saw: str


def draw(
    request: HttpRequest,
    opened: OpenCharacter,
    form: forms.Form,
    tried: RulesTrial | None,
    refusal: str,
    status: int,
    *,
    name: str,
    **more: Any,
) -> HttpResponse:
    """The page `name` with the form and the trial; its changing region alone for htmx. `more` is the context of this
    page alone."""
    context = {
        **opened.context,
        "form": form,
        "trial": tried,
        "refusal": refusal,
        "back": reverse(f"characters:{name}", args=[opened.character.pk]),
        **more,
    }
    template = f"compare/{'_' * bool(request.htmx)}{name.replace('-', '_')}.html"
    response = render(request, template_of(opened.bundle, template), context, status=status)
    response.headers["Vary"] = "HX-Request"
    return response


def answer(
    request: HttpRequest,
    opened: OpenCharacter,
    form: forms.Form,
    *,
    page: Callable[..., HttpResponse],
    look: Callable[[], RulesTrial],
    keep: Callable[[str, str], Change],
    anew: Callable[[OpenCharacter], forms.Form],
    back: str,
) -> HttpResponse:
    """Show what the form would change, or with `save` store it.

    page(request, opened, form, trial, refusal, status) draws; look() makes the trial; keep(key, saw) is the verb;
    anew(opened) is the form as it is afterwards; back is the page's own address.
    """
    if not form.is_valid():
        return page(request, opened, form, status=422)
    if "save" not in request.POST:
        return page(request, opened, form, look())
    try:
        saved = keep(request.POST.get("key", ""), request.POST.get("saw", ""))
    except StalePage as stale:
        return page(request, opened, form, look(), stale.sentence, status=409)
    except Refused as refused:
        add_refusal(form, refused)
        return page(request, opened, form, status=422)
    if not request.htmx:
        messages.success(request, saved.sentence)
        return SeeOther(back)
    after = opened.again()
    return trigger_client_event(page(request, after, anew(after)), "say", {"value": saved.sentence})
