"""Responses of the builder: the step drawn again with its moved numbers marked, or a refusal beside its field."""

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django_htmx.http import trigger_client_event

from characters.change.refusals import Refused
from characters.models import Change, Character
from characters.pages.game_templates import template_of
from characters.pages.responses import SeeOther
from characters.read.number_format import of_stat
from rules.engine import Sheet
from rules.engine.levels import next_level
from rules.games.contract import Missing

from . import step_pages
from .builder_character import BuilderCharacter
from .side import side_of
from .step_refusal import NOT_REFUSED, StepRefusal

EQUIPMENT = "equipment"


def answer(
    request: HttpRequest,
    opened: BuilderCharacter,
    step: str,
    verb: Callable[..., Change],
    what: Mapping[str, Any],
    *,
    anchor: str = "",
    posted: Mapping[str, str] | None = None,
) -> HttpResponse:
    """Run a verb, or `act.run`, with the arguments `what`, and show the step after it. A refusal is shown beside
    `anchor`, with status 422."""
    try:
        change = verb(opened.character.pk, opened.visitor, request.POST.get("key", ""), **what)
    except Refused as refused:
        return refuse(request, opened, step, refused.sentence, anchor=anchor, field=refused.field, posted=posted)
    after = opened.again()
    if not request.htmx:
        messages.success(request, " ".join([change.sentence, *_moved(opened, after)]))
        tab = f"?{request.GET.urlencode()}" if request.GET else ""
        return SeeOther(after.url(step) + tab + (f"#{anchor}" if anchor else ""))
    response = show(request, after, step, before=opened.sheet)
    return trigger_client_event(response, "say", {"value": change.sentence})


def refuse(
    request: HttpRequest,
    opened: BuilderCharacter,
    step: str,
    sentence: str,
    *,
    anchor: str = "",
    field: str = "",
    posted: Mapping[str, str] | None = None,
) -> HttpResponse:
    refusal = StepRefusal(anchor, sentence, dict(posted or {}), field)
    return show(request, opened, step, refusal=refusal, status=422)


def show(
    request: HttpRequest,
    opened: BuilderCharacter,
    step: str,
    *,
    before: Sheet | None = None,
    refusal: StepRefusal = NOT_REFUSED,
    status: int = 200,
) -> HttpResponse:
    """The step's page; its changing region alone for htmx. Numbers that differ from the sheet `before` are marked."""
    steps = _step_links(opened, step)
    position = [one["slug"] for one in steps].index(step)
    asks_name = not position or step == "review"
    page = step_pages.context(opened, step, refusal, request.GET)
    places = page.pop("places", set()) | _places(opened, step, asks_name=asks_name)
    context = {
        **opened.context,
        "step": step,
        "later_levels": opened.sheet.picks.earned,
        "levels_open": opened.sheet.picks.open,
        "next_level": next_level(opened.bundle, opened.build),
        "step_name": opened.steps.STEPS[step],
        "step_template": template_of(opened.bundle, f"builder/{step}.html"),
        "steps": steps,
        "previous": steps[position - 1] if position else None,
        "next": steps[position + 1] if position + 1 < len(steps) else None,
        "side": side_of(opened, before),
        "onward": onward(opened, step, steps),
        "refusal": refusal.sentence if refusal.anchor not in places else "",
        "asks_name": asks_name,
        "choose_url": reverse("characters:choose", args=[opened.character.pk]),
        **_name_form(opened.character, refusal.at("name")),
        **page,
    }
    name = "_builder.html" if request.htmx else "page.html"
    response = render(request, template_of(opened.bundle, f"builder/{name}"), context, status=status)
    response.headers["Vary"] = "HX-Request"
    return response


def _places(opened: BuilderCharacter, step: str, *, asks_name: bool) -> set[str]:
    """The anchors of a step that show a refusal themselves, beside the field."""
    lines = (line for section in opened.sections[step] for line in section.lines)
    asked = {opened.steps.anchor(line.choice.key, line.level) for line in lines}
    return asked | {"name"} if asks_name else asked


def _name_form(character: Character, refused: StepRefusal) -> dict[str, str]:
    """The form of the name: with the stored name, or with the refused one and the reason."""
    return {
        "name_url": reverse("characters:name", args=[character.pk]),
        "name_error": refused.sentence,
        "name_typed": refused.posted.get("name", character.name),
    }


def onward(opened: BuilderCharacter, step: str, steps: list[dict[str, Any]]) -> dict[str, Any]:
    """The next question, on this step if it has one: its words, its link, and how many of the step are open."""
    here = next(one for one in steps if one["slug"] == step)
    missing = opened.steps.missing(opened.bundle, opened.build, opened.sheet)
    following = next((one for one in missing if one.step == step), next(iter(missing), None))
    if following is None and step != EQUIPMENT and EQUIPMENT in opened.steps.STEPS and not opened.build.items:
        following = Missing(EQUIPMENT, "shop", "nothing chosen yet")  # not required, but easily forgotten
    return {
        "needed": here["needed"],
        "open": here["needed"] - here["chosen"],
        "left": sum(one["needed"] - one["chosen"] for one in steps),
        "text": following.text if following else "",
        "step": opened.steps.STEPS[following.step] if following and following.step != step else "",
        "url": f"{opened.url(following.step)}#{following.anchor}" if following else opened.character.get_absolute_url(),
    }


def _step_links(opened: BuilderCharacter, step: str) -> list[dict[str, Any]]:
    return [
        {
            "slug": one.slug,
            "name": one.name,
            "url": opened.url(one.slug),
            "chosen": one.chosen,
            "needed": one.needed,
            "problem": one.problem,
            "current": one.slug == step,
        }
        for one in opened.steps.progress(opened.bundle, opened.build, opened.sheet)
    ]


def _moved(opened: BuilderCharacter, after: BuilderCharacter) -> list[str]:
    """The most important numbers that the change moved, in words."""
    bundle = opened.bundle
    stats = [bundle.stats[key] for key in opened.steps.GLANCE if key in bundle.stats]
    pairs = [(stat, opened.sheet.value(stat.key), after.sheet.value(stat.key)) for stat in stats]
    return [
        f"{stat.name}: {of_stat(stat, was, bundle)}, now {of_stat(stat, now, bundle)}."
        for stat, was, now in pairs
        if was != now
    ]
