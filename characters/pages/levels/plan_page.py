"""The plan: levels to come, each with its pick, checked again whenever the page is shown."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from characters import verbs
from characters.change.refusals import Refused
from characters.pages.builder.builder_character import BuilderCharacter
from characters.pages.game_templates import template_of
from characters.pages.responses import SeeOther, render_spoken
from characters.verbs.leveling import seen
from rules.engine.levels import next_to_plan

from .forms import LevelForm
from .overview import as_planned, level_summary


def _planning(request: HttpRequest, pk: int) -> BuilderCharacter:
    opened = BuilderCharacter.playable(request, pk)
    if not opened.bundle.ways:
        raise Http404("There is nothing to plan in this game.")
    return opened


@require_safe
def show(request: HttpRequest, pk: int) -> HttpResponse:
    return _show(request, _planning(request, pk))


@require_POST
def forget(request: HttpRequest, pk: int) -> HttpResponse:
    opened, form = _planning(request, pk), LevelForm(request.POST)
    level = form.cleaned_data["level"] if form.is_valid() else None
    key = request.POST.get("key", "")
    if level is None and "all" not in request.POST:
        return _show(request, opened, f"Say which {opened.game.levels.NAME} to remove from the plan.", 422)
    try:
        change = verbs.forget_plan(pk, opened.visitor, key, level=level)
    except Refused as refused:
        return _show(request, opened, refused.sentence, refused.status)
    messages.success(request, change.sentence)
    return SeeOther(reverse("characters:plan", args=[pk]))


@require_POST
def take(request: HttpRequest, pk: int, level: int) -> HttpResponse:
    opened = _planning(request, pk)
    key, saw = request.POST.get("key", ""), request.POST.get("saw", "")
    try:
        change = verbs.take_planned(pk, opened.visitor, key, level=level, saw=saw)
    except Refused as refused:
        return _show(request, opened, refused.sentence, refused.status)
    return SeeOther(reverse("characters:gained", args=[pk, change.sequence]))


def _show(request: HttpRequest, opened: BuilderCharacter, refusal: str = "", status: int = 200) -> HttpResponse:
    now = level_summary(opened.bundle, opened.build, opened.sheet)
    context = {
        **opened.context,
        "level_summary": now,
        "as_planned": as_planned(opened, now) if now.open else None,
        "plannable": next_to_plan(opened.bundle, opened.build),
        "refusal": refusal,
        "saw": seen(opened.bundle, opened.character.version),
    }
    return render_spoken(request, template_of(opened.bundle, "levels/plan.html"), context, status)
