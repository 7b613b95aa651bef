"""Every level of a character: when it was taken, by whom, the choices, and the changes that they brought."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from characters.change import fact_address
from characters.models import Change, Character
from characters.pages.builder.diff_text import DiffText, diff_texts
from characters.pages.game_templates import template_of
from characters.read.open import OpenCharacter
from rules.engine import Build, Bundle, Decision, build_at_level, derive, difference, rested
from rules.engine.phrases import answer_name, kind_words
from rules.engine.sheet import Sheet

A_PAGE = 10


@dataclass(frozen=True)
class Taken:
    """One answer given at a level. `role` is the question, unless the name says it already."""

    name: str
    role: str = ""
    exception: str = ""  # the reason why a requirement was waived


@dataclass(frozen=True)
class Stop:
    """One level on the way. `changes` are the history's entries that shaped it, oldest first."""

    level: int
    taken: tuple[Taken, ...]
    moves: tuple[DiffText, ...]
    changes: tuple[Change, ...]
    planned: bool
    over_drawn: bool  # taken, but no longer earned


@require_safe
def timeline(request: HttpRequest, **where: Any) -> HttpResponse:
    opened = OpenCharacter.readable(request, **where)
    bundle, build = opened.bundle, opened.build
    if not bundle.game.has_levels:
        raise Http404("This game has no levels.")
    levels = Paginator(range(opened.last_level, 0, -1), A_PAGE).get_page(request.GET.get("page"))
    context = {
        **opened.context,
        "tells": bool(opened.character.sample) or opened.role.plays,
        "page": levels,
        "stops": stops(opened.character, bundle, build, list(levels)),
        "now": opened.present_level,
    }
    return render(request, template_of(bundle, "compare/timeline.html"), context)


def stops(character: Character, bundle: Bundle, build: Build, levels: list[int]) -> list[Stop]:
    """These levels, highest first; neighbors share the sheet between them."""
    now, decided = bundle.game.levels.level_of(bundle, build), {one.level for one in build.decisions}
    steps = bundle.game.steps
    wanted = {level for one in levels for level in (one, one - 1) if level}
    builds = {level: rested(build_at_level(bundle, build, level)) for level in wanted}
    sheets = {level: derive(bundle, one) for level, one in builds.items()}
    history = history_of(character, bundle, builds[max(levels)].decisions, levels)
    found = []
    for level in levels:
        differing = difference(sheets[level - 1], sheets[level]) if level > 1 else ()
        moves = diff_texts(bundle, steps, (one for one in differing if one.key != "level"))
        made = [one for one in builds[level].decisions if one.level == level]
        asked = _asked_in_builder(bundle, builds[1], sheets[1]) if level == 1 else {}
        made.sort(
            key=lambda one: (
                asked.get(one.choice, len(asked)),
                _is_asked_later(bundle, one),
                one.choice,
                one.position,
            )
        )
        found.append(
            Stop(
                level=level,
                taken=tuple(taken(bundle, sheets[level], one) for one in made),
                moves=tuple(one for one in moves if one.kind != "choice"),
                changes=tuple(history.get(level, ())),
                planned=level > now and level not in decided,
                over_drawn=level > now and level in decided,
            )
        )
    return found


def _asked_in_builder(bundle: Bundle, build: Build, sheet: Sheet) -> dict[str, int]:
    """The place of each question among those of the builder's steps."""
    steps = bundle.game.steps.sections(bundle, build, sheet).values()
    asked = (line.choice.key for sections in steps for section in sections for line in section.lines)
    return {key: place for place, key in enumerate(dict.fromkeys(asked))}


def _is_asked_later(bundle: Bundle, decision: Decision) -> bool:
    """True if another answer raised this question, not the rules themselves."""
    choice = bundle.choices.get(decision.choice)
    return choice is None or bundle.elements[choice.owner].kind != "rules"


def taken(bundle: Bundle, sheet: Sheet, decision: Decision) -> Taken:
    """A decision by the names that players know, a rank with its number."""
    name = answer_name(bundle, decision)
    choice = bundle.choices.get(decision.choice)
    if choice and choice.grant_as == "rank" and decision.ref in sheet.active:
        name = f"{name}, rank {sheet.active[decision.ref].rank}"
    role = choice.slug.replace("-", " ") if choice and not choice.budget and choice.grant_as != "rank" else ""
    one, several = kind_words(choice.filter_kind, bundle.kinds) if choice else ("", "")
    if role == several:
        role = one  # of the two skills, each is a skill
    return Taken(name, "" if role in name.lower() else role, decision.override)


def history_of(
    character: Character, bundle: Bundle, decisions: Iterable[Decision], levels: Collection[int]
) -> dict[int, list[Change]]:
    """The changes that moved an answer of each level, in one query; level 1 also has the very first change."""
    answered = [(one.choice, one.level) for one in decisions if one.level in levels]
    answered += [(old, level) for old, key in bundle.former_choices.items() for one, level in answered if one == key]
    places = {fact_address.choice(key, level): level for key, level in answered}
    rows = character.changes.filter(after__has_any_keys=[*places]) if places else character.changes.none()
    if 1 in levels:
        rows = rows | character.changes.filter(sequence=1)
    found: dict[int, list[Change]] = {}
    for change in rows.select_related("actor").order_by("sequence"):
        at = {places[address] for address in change.after if address in places}
        if change.sequence == 1:
            at.add(1)
        for level in at:
            found.setdefault(level, []).append(change)
    return found
