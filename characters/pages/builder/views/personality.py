"""Traits, ideals, bonds and flaws: picked from the background, rolled, written, dropped."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_POST

from characters import verbs
from characters.actions.act import run
from characters.models import Change
from characters.pages.builder.builder_character import BuilderCharacter
from characters.pages.builder.forms import AspectForm
from characters.pages.builder.step_answer import answer, refuse


@require_POST
def change(request: HttpRequest, pk: int) -> HttpResponse:
    opened, form = BuilderCharacter.at_step(request, pk, "aspects"), AspectForm(request.POST)
    if not form.is_valid():
        return refuse(request, opened, "aspects", form.first_error, anchor=request.POST.get("kind", ""))
    asked, kind = form.cleaned_data, form.cleaned_data["kind"]
    text = asked["pick"] or asked["text"]
    verb: Callable[..., Change] = run
    what: dict[str, Any] = {"name": "add_aspect", "sent": {"kind": kind, "text": text}}
    if asked["roll"]:
        verb, what = verbs.roll_aspect, {"kind": kind}
    elif asked["drop"]:
        verb, what = verbs.drop_aspect, {"kind": kind, "text": asked["drop"]}
    return answer(request, opened, "aspects", verb, what, anchor=kind, posted={"text": text})


@require_POST
def roll_missing(request: HttpRequest, pk: int) -> HttpResponse:
    opened = BuilderCharacter.at_step(request, pk, "aspects")
    first = next(iter(opened.steps.ASPECTS))  # the button that was pressed is gone then
    return answer(request, opened, "aspects", verbs.roll_missing_aspects, {}, anchor=first)
