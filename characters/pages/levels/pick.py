"""The page on which a level is spent: every way with what it would do, then the pick, its questions and one commit."""

from django.contrib import messages
from django.http import Http404
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from characters import verbs
from characters.pages.builder.desk import Desk
from characters.pages.builder.step_answer import SeeOther
from characters.pages.game_templates import template_of
from characters.verbs import Refused
from characters.verbs.levels import Stale, seen
from rules.engine.levels import next_level

from .columns import columns
from .draw import draw
from .forms import Asked, asked_for
from .level_view import Stand, to_change, to_plan, to_take
from .overview import as_planned, standing
from .pick_names import in_words
from .picked import picked, unfit

read_or_post = require_http_methods(["GET", "HEAD", "POST"])


@read_or_post
def level_up(request, pk):
    return _page(request, pk, verbs.level_up, lambda desk: to_take(desk))


@read_or_post
def change(request, pk, level):
    return _page(request, pk, verbs.change_level, lambda desk: to_change(desk, level), level)


@read_or_post
def plan(request, pk, level):
    return _page(request, pk, verbs.plan_level, lambda desk: to_plan(desk, level), level)


def _page(request, pk, verb, stand_of, level=None):
    desk = Desk.playable(request, pk)
    stand = stand_of(desk)
    if request.method != "POST":
        if stand is None:
            raise Http404
        return _show(request, stand, asked_for(request.GET))
    asked = asked_for(request.POST)
    try:
        change = verb(
            pk,
            desk.visitor,
            asked.key,
            level=level or _level(request.POST.get("level")),
            take=asked.take,
            targets=asked.targets,
            answers=asked.answers,
            override=asked.override,
            saw=asked.saw,
        )
    except Refused as refused:
        stand = stand or to_take(desk)
        return _show(request, stand, asked, refused, 409 if isinstance(refused, Stale) else 422)
    messages.success(request, change.sentence)
    return SeeOther(_next(desk.again(), stand))


def _level(text) -> int:
    """The level that a form means, 0 for what is no number."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 6 else 0


def _next(desk, stand: Stand | None) -> str:
    """After a level the next open one; after the last, and after any other change, the list it stands in."""
    pk = desk.character.pk
    if stand and stand.mode == "plan":
        return reverse("characters:plan", args=[pk])
    if stand and stand.mode == "up" and next_level(desk.bundle, desk.build) <= desk.sheet.level:
        return reverse("characters:level-up", args=[pk])
    return reverse("characters:levels", args=[pk])


def _show(request, stand: Stand, asked: Asked, refused: Refused | None = None, status=200):
    desk = stand.desk
    pk, sentence, pick = desk.character.pk, refused.sentence if refused else "", None
    if asked.take and (why_not := unfit(stand, asked.take, asked.targets)):
        sentence, status = sentence or why_not, status if refused else 422
    elif asked.take:
        wrong = refused.field if refused else ""
        pick = picked(stand, asked.take, asked.targets, asked.answers, wrong, sentence)
        if any(question.error for question in pick.questions):
            sentence = ""
    context = {
        "character": desk.character,
        "bundle": desk.bundle,
        "stand": stand,
        "pick": pick,
        "columns": columns(stand, asked.take, asked.targets),
        "refusal": sentence,
        "reason": asked.override,
        "wrong": refused.field if refused else "",
        "saw": seen(desk.bundle, desk.character.version),
        "open": max(0, desk.sheet.level + 1 - stand.level) if stand.mode == "up" else 0,
        "present": in_words(stand.bundle, stand.present, (*stand.free.decisions, *stand.present)),
        "as_planned": as_planned(desk, standing(desk.bundle, desk.build, desk.sheet)) if stand.mode == "up" else None,
        "trail": [
            ("My characters", reverse("characters:list")),
            (str(desk.character), desk.character.get_absolute_url()),
            ("Levels", reverse("characters:levels", args=[pk])),
            *([("Plan", reverse("characters:plan", args=[pk]))] if stand.mode == "plan" else []),
            (f"Level {stand.level}", ""),
        ],
    }
    return draw(request, template_of(desk.bundle, "levels/pick.html"), context, status)
