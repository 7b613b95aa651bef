"""The plan: levels to come, each with what it is meant for, checked again whenever the page is desk."""

from django.contrib import messages
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from characters import verbs
from characters.pages.builder.desk import Desk
from characters.pages.builder.step_answer import SeeOther
from characters.pages.game_templates import template_of
from characters.verbs import Refused
from characters.verbs.levels import Stale, seen

from .draw import draw
from .forms import LevelForm
from .level_view import plannable
from .overview import as_planned, standing


@require_safe
def show(request, pk):
    return _show(request, Desk.playable(request, pk))


@require_POST
def forget(request, pk):
    desk, form = Desk.playable(request, pk), LevelForm(request.POST)
    level = form.cleaned_data["level"] if form.is_valid() else None
    key = request.POST.get("key", "")
    if level is None and "all" not in request.POST:
        return _show(request, desk, "Say which level to take out of the plan.", 422)
    return _changed(request, desk, "plan", lambda: verbs.forget_plan(pk, desk.visitor, key, level=level))


@require_POST
def take(request, pk, level):
    desk = Desk.playable(request, pk)
    key, saw = request.POST.get("key", ""), request.POST.get("saw", "")
    return _changed(request, desk, "levels", lambda: verbs.take_planned(pk, desk.visitor, key, level=level, saw=saw))


def _changed(request, desk: Desk, then: str, act):
    try:
        change = act()
    except Refused as refused:
        return _show(request, desk, refused.sentence, 409 if isinstance(refused, Stale) else 422)
    messages.success(request, change.sentence)
    return SeeOther(reverse(f"characters:{then}", args=[desk.character.pk]))


def _show(request, desk: Desk, refusal="", status=200):
    now = standing(desk.bundle, desk.build, desk.sheet)
    context = {
        "character": desk.character,
        "bundle": desk.bundle,
        "standing": now,
        "as_planned": as_planned(desk, now) if now.open else None,
        "plannable": plannable(desk),
        "refusal": refusal,
        "saw": seen(desk.bundle, desk.character.version),
        "trail": [
            ("My characters", reverse("characters:list")),
            (str(desk.character), desk.character.get_absolute_url()),
            ("Levels", reverse("characters:levels", args=[desk.character.pk])),
            ("Plan", ""),
        ],
    }
    return draw(request, template_of(desk.bundle, "levels/plan.html"), context, status)
