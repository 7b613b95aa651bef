"""The list of levels: experience, the pick of each level, what does not fit, and undoing the last one."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import push_url

from characters import verbs
from characters.change.gain_experience import AskFirst
from characters.change.refusals import Refused
from characters.models import Change
from characters.pages.builder.builder_character import BuilderCharacter
from characters.pages.game_templates import template_of
from characters.pages.responses import SeeOther, render_spoken
from characters.verbs.leveling import seen
from rules.engine.levels import problems_by_level
from rules.number_text import number_in

from .forms import ExperienceForm, LevelForm, MilestoneForm
from .overview import as_planned, level_summary, taken_rows


def _leveling(request: HttpRequest, pk: int) -> BuilderCharacter:
    """The character, if its game has levels or experience. Nothing may give it what its sheet would then show."""
    opened = BuilderCharacter.playable(request, pk)
    if not opened.game.has_levels and opened.version.page.identity.xp is None:
        raise Http404("This game has neither levels nor experience.")
    return opened


@require_safe
def show(request: HttpRequest, pk: int) -> HttpResponse:
    return _show(request, _leveling(request, pk))


@require_POST
def experience(request: HttpRequest, pk: int) -> HttpResponse:
    opened, form = _leveling(request, pk), ExperienceForm(request.POST)
    if not form.is_valid():
        return _show(request, opened, form.first_error, next(iter(form.errors)), 422)
    asked = form.cleaned_data
    amount = -asked["amount"] if asked["lose"] else asked["amount"]
    what = {"amount": amount, "reason": asked["reason"], "sure": bool(asked["sure"])}
    return _changed(request, opened, verbs.add_xp, what)


@require_POST
def milestone(request: HttpRequest, pk: int) -> HttpResponse:
    opened, form = _leveling(request, pk), MilestoneForm(request.POST)
    if not form.is_valid():
        return _show(request, opened, form.first_error, next(iter(form.errors)), 422)
    asked = form.cleaned_data
    what = {"level": asked["level"], "reason": asked["reason"], "sure": bool(asked["sure"])}
    return _changed(request, opened, verbs.set_level, what)


@require_POST
def take_back(request: HttpRequest, pk: int) -> HttpResponse:
    opened, form = _leveling(request, pk), LevelForm(request.POST)
    if not form.is_valid():
        return _show(request, opened, form.first_error, "level", 422)
    return _changed(request, opened, verbs.take_back_level, {"level": form.cleaned_data["level"]})


@require_POST
def drop_answer(request: HttpRequest, pk: int, level: int) -> HttpResponse:
    opened, what = _leveling(request, pk), {"choice": request.POST.get("choice", ""), "level": level}
    return _changed(request, opened, verbs.drop_answer, what)


def _changed(
    request: HttpRequest, opened: BuilderCharacter, verb: Callable[..., Change], what: dict[str, Any]
) -> HttpResponse:
    """Run a verb and go back to the list. A refusal is shown there by its field, and so is a question that it asks
    first."""
    try:
        change = verb(opened.character.pk, opened.visitor, request.POST.get("key", ""), **what)
    except AskFirst as question:
        return push_url(_show(request, opened, asks=question.sentence), False)
    except Refused as refused:
        return _show(request, opened, refused.sentence, refused.field, 422)
    messages.success(request, change.sentence)
    return SeeOther(reverse("characters:levels", args=[opened.character.pk]))


def _show(
    request: HttpRequest,
    opened: BuilderCharacter,
    refusal: str = "",
    wrong: str = "",
    status: int = 200,
    asks: str = "",
) -> HttpResponse:
    level, game, xp = opened.sheet.level, opened.game, opened.version.page.identity.xp
    by_level = problems_by_level(opened.bundle, opened.build, opened.sheet)
    listed = {text for texts in by_level.values() for text in texts}
    now = level_summary(opened.bundle, opened.build, opened.sheet)
    context = {
        **opened.context,
        "level_summary": now,
        "as_planned": as_planned(opened, now) if now.open else None,
        "rows": taken_rows(opened, by_level),
        "elsewhere": [
            (problem.text, f"{opened.url(step)}#{place}")
            for step, place, problem in opened.problems
            if problem.text not in listed
        ],
        "has_levels": game.has_levels,
        "name": f"{game.levels.NAME.capitalize()}s" if game.has_levels else game.levels.EXPERIENCE.capitalize(),
        "by_milestone": game.levels.by_milestone(opened.bundle, opened.build),
        "xp": "" if xp is None else f"{xp:,}",
        "xp_left": f"{max(0, game.levels.xp_for(opened.bundle, opened.build, level + 1) - opened.build.xp):,}",
        "refusal": refusal,
        "wrong": wrong,
        "asks": asks,
        "typed": request.POST,
        "typed_xp": f"{number_in(request.POST.get('amount')) or 0:,}",
        "saw": seen(opened.bundle, opened.character.version),
    }
    return render_spoken(request, template_of(opened.bundle, "levels/levels.html"), context, status)
