"""The list of levels: experience, what each level was spent on, what does not hold, and the way back."""

from django.contrib import messages
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from characters import verbs
from characters.pages.builder.desk import Desk
from characters.pages.builder.step_answer import SeeOther
from characters.pages.game_templates import template_of
from characters.verbs import Refused
from characters.verbs.levels import seen
from rules.engine.levels import problems_by_level

from .draw import draw
from .forms import ExperienceForm, LevelForm, MilestoneForm
from .overview import as_planned, standing, taken_rows


@require_safe
def show(request, pk):
    return _show(request, Desk.playable(request, pk))


@require_POST
def experience(request, pk):
    desk, form = Desk.playable(request, pk), ExperienceForm(request.POST)
    if not form.is_valid():
        return _show(request, desk, form.first_error, next(iter(form.errors)), 422)
    asked = form.cleaned_data
    amount = -asked["amount"] if asked["lose"] else asked["amount"]
    return _changed(
        request, desk, lambda: verbs.add_xp(pk, desk.visitor, asked["key"], amount=amount, reason=asked["reason"])
    )


@require_POST
def milestone(request, pk):
    desk, form = Desk.playable(request, pk), MilestoneForm(request.POST)
    if not form.is_valid():
        return _show(request, desk, form.first_error, next(iter(form.errors)), 422)
    asked = form.cleaned_data
    return _changed(
        request,
        desk,
        lambda: verbs.set_level(pk, desk.visitor, asked["key"], level=asked["level"], reason=asked["reason"]),
    )


@require_POST
def take_back(request, pk):
    desk, form = Desk.playable(request, pk), LevelForm(request.POST)
    if not form.is_valid():
        return _show(request, desk, form.first_error, "level", 422)
    asked = form.cleaned_data
    return _changed(request, desk, lambda: verbs.take_back_level(pk, desk.visitor, asked["key"], level=asked["level"]))


@require_POST
def drop_answer(request, pk, level):
    desk = Desk.playable(request, pk)
    key, choice = request.POST.get("key", ""), request.POST.get("choice", "")
    return _changed(request, desk, lambda: verbs.drop_answer(pk, desk.visitor, key, choice=choice, level=level))


def _changed(request, desk: Desk, act):
    """Run a verb and go back to the list; what it refuses stands there, by its field."""
    try:
        change = act()
    except Refused as refused:
        return _show(request, desk, refused.sentence, refused.field, 422)
    messages.success(request, change.sentence)
    return SeeOther(reverse("characters:levels", args=[desk.character.pk]))


def _show(request, desk: Desk, refusal="", wrong="", status=200):
    level, game = desk.sheet.level, desk.game
    by_level = problems_by_level(desk.bundle, desk.build, desk.sheet)
    told = {text for texts in by_level.values() for text in texts}
    now = standing(desk.bundle, desk.build, desk.sheet)
    context = {
        "character": desk.character,
        "bundle": desk.bundle,
        "standing": now,
        "as_planned": as_planned(desk, now) if now.open else None,
        "rows": taken_rows(desk),
        "elsewhere": [
            (problem.text, f"{desk.url(step)}#{place}")
            for step, place, problem in desk.problems
            if problem.text not in told
        ],
        "by_milestone": game.levels.by_milestone(desk.bundle, desk.build),
        "xp": f"{desk.build.xp:,}",
        "xp_left": f"{max(0, game.levels.xp_for(desk.bundle, desk.build, level + 1) - desk.build.xp):,}",
        "refusal": refusal,
        "wrong": wrong,
        "typed": request.POST,
        "saw": seen(desk.bundle, desk.character.version),
        "trail": [
            ("My characters", reverse("characters:list")),
            (str(desk.character), desk.character.get_absolute_url()),
            ("Levels", ""),
        ],
    }
    return draw(request, template_of(desk.bundle, "levels/levels.html"), context, status)
