"""The page on which a level is spent: every option with its changes, then the pick with its questions, saved at
once."""

from collections.abc import Callable

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from characters import verbs
from characters.change.refusals import Refused
from characters.models import Change
from characters.pages.builder.builder_character import BuilderCharacter
from characters.pages.game_templates import template_of
from characters.pages.responses import SeeOther, render_spoken
from characters.verbs.leveling import Pick, seen
from rules.number_text import number_in

from .forms import asked_for
from .level_view import LevelView, to_change, to_plan, to_take
from .option_columns import columns, level_changes
from .overview import as_planned, level_summary
from .pick_names import in_words
from .picked import picked, why_no_preview

read_or_post = require_http_methods(["GET", "HEAD", "POST"])


@read_or_post
def level_up(request: HttpRequest, pk: int) -> HttpResponse:
    return _page(request, pk, verbs.level_up, to_take)


@read_or_post
def change(request: HttpRequest, pk: int, level: int) -> HttpResponse:
    return _page(request, pk, verbs.change_level, lambda opened: to_change(opened, level), level)


@read_or_post
def plan(request: HttpRequest, pk: int, level: int) -> HttpResponse:
    return _page(request, pk, verbs.plan_level, lambda opened: to_plan(opened, level), level)


def _page(
    request: HttpRequest,
    pk: int,
    verb: Callable[..., Change],
    level_view_of: Callable[[BuilderCharacter], LevelView | None],
    level: int | None = None,
) -> HttpResponse:
    opened = BuilderCharacter.playable(request, pk)
    if not opened.bundle.ways:
        raise Http404("Levels buy nothing in this game.")
    view = level_view_of(opened)
    if request.method != "POST":
        if view is None:
            raise Http404
        return _show(request, view, asked_for(request.GET))
    asked = asked_for(request.POST)
    try:
        change = verb(
            pk,
            opened.visitor,
            request.POST.get("key", ""),
            level=level or number_in(request.POST.get("level"), 99_999) or 0,
            saw=request.POST.get("saw", ""),
            **asked,
        )
    except Refused as refused:
        view = view or to_take(opened)
        return _show(request, view, asked, refused, refused.status)
    if change.takes_level:
        return SeeOther(reverse("characters:gained", args=[pk, change.sequence]))
    messages.success(request, change.sentence)
    return SeeOther(reverse("characters:plan" if verb is verbs.plan_level else "characters:levels", args=[pk]))


def _show(
    request: HttpRequest, view: LevelView, asked: Pick, refused: Refused | None = None, status: int = 200
) -> HttpResponse:
    opened = view.opened
    sentence, pick, no_reason = refused.sentence if refused else "", None, False
    take, targets = asked["take"], asked["targets"]
    if take and (why_not := why_no_preview(view, take, targets)):
        sentence, status = sentence or why_not, status if refused else 422
    elif take:
        wrong = refused.field if refused else ""
        pick = picked(view, take, targets, asked["answers"], wrong, sentence)
        no_reason = bool(pick.lacks) and wrong == "targets" and not asked["override"]
        if no_reason or any(question.error for question in pick.questions):
            sentence = ""
    context = {
        **opened.context,
        "view": view,
        "pick": pick,
        "columns": columns(view, take, tuple(targets)),
        "level_changes": level_changes(view) if view.mode == "up" else (),
        "refusal": sentence,
        "reason": asked["override"],
        "no_reason": no_reason,
        "wrong": refused.field if refused else "",
        "saw": seen(opened.bundle, opened.character.version),
        "open": max(0, opened.sheet.level + 1 - view.level) if view.mode == "up" else 0,
        "stored_pick": in_words(view.bundle, view.stored_pick, (*view.unspent.decisions, *view.stored_pick)),
        "as_planned": as_planned(opened, level_summary(opened.bundle, opened.build, opened.sheet))
        if view.mode == "up"
        else None,
    }
    return render_spoken(request, template_of(opened.bundle, "levels/pick.html"), context, status)
