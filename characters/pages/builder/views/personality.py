"""Traits, ideals, bonds and flaws: picked from the background, rolled, written, dropped."""

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
    opened, form = BuilderCharacter.playable(request, pk), AspectForm(request.POST)
    if not form.is_valid():
        return refuse(request, opened, "aspects", form.first_error, anchor=request.POST.get("kind", ""))
    asked, kind = form.cleaned_data, form.cleaned_data["kind"]
    text = asked["pick"] or asked["text"]

    def act() -> Change:
        if asked["roll"]:
            return verbs.roll_aspect(pk, opened.visitor, asked["key"], kind=kind)
        if asked["drop"]:
            return verbs.drop_aspect(pk, opened.visitor, asked["key"], kind=kind, text=asked["drop"])
        return run(pk, opened.visitor, asked["key"], "add_aspect", {"kind": kind, "text": text})

    return answer(request, opened, "aspects", act, anchor=kind, posted={"text": text})


@require_POST
def roll_missing(request: HttpRequest, pk: int) -> HttpResponse:
    opened = BuilderCharacter.playable(request, pk)

    def act() -> Change:
        return verbs.roll_missing_aspects(pk, opened.visitor, request.POST.get("key", ""))

    return answer(request, opened, "aspects", act, anchor="missing")
