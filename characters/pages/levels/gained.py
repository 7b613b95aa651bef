"""The page of one level: all that it brought, read out of the change that took it."""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.views.decorators.http import require_safe

from characters.change import history_entries
from characters.models import Change
from characters.models.history import TAKES_LEVEL
from characters.pages.builder.builder_character import BuilderCharacter
from characters.pages.builder.diff_text import DiffText, diff_texts
from characters.pages.game_templates import template_of
from characters.pages.responses import render_spoken
from characters.pages.rule_links import rule_url
from characters.read.load_build import build_from
from characters.read.versions import rules_of
from rules.engine import Bundle, derive, difference, rested, up_to
from rules.engine.difference import features
from rules.engine.levels import next_level, pick_at
from rules.engine.sheet import Sheet
from rules.games.outcome import counted
from rules.games.sections import back_after

from .pick_names import in_words

# The changes besides features, in reading order: their section in comparisons, their kinds, the title of their list.
LISTS = (
    ("attacks", ("attack",), "Attacks"),
    ("rolls", ("roll",), "Checks and saving throws"),
    ("proficiency", ("proficiency", "language"), "Proficient with"),
    ("defense", ("defense",), "Against damage"),
)


@dataclass(frozen=True)
class Feature:
    """Something new, in the rules' own words; `uses` says how often it can be used, and what brings the uses back."""

    name: str
    text: str
    url: str
    uses: str


@dataclass(frozen=True)
class Gain:
    """The gains of one level, by the rules as they are now."""

    level: int
    pick: str
    reason: str  # of an exception
    numbers: tuple[DiffText, ...]
    features: tuple[Feature, ...]
    lists: tuple[tuple[str, tuple[DiffText, ...]], ...]


@require_safe
def show(request: HttpRequest, pk: int, sequence: int) -> HttpResponse:
    opened = BuilderCharacter.playable(request, pk)
    changes = history_entries.shown(opened.character.changes)
    change = get_object_or_404(changes, sequence=sequence, verb__in=TAKES_LEVEL)
    gain, sheet = gain_of(opened, change), opened.sheet
    context = {
        **opened.context,
        "gain": gain,
        "change": change,
        "still": [
            (line.choice.prompt, reverse("characters:change-level", args=[pk, line.level]))
            for line in sheet.choices
            if line.open and line.level == gain.level and not line.choice.budget
        ],
        "next": next_level(opened.bundle, opened.build) if sheet.picks.open else 0,
    }
    return render_spoken(request, template_of(opened.bundle, "levels/gained.html"), context)


def gain_of(opened: BuilderCharacter, change: Change) -> Gain:
    """The gains of the level and of everything chosen with it: the character before the change, one level lower,
    compared with the character after it."""
    level: int = change.what["level"]
    facts = history_entries.facts_at(opened.character, change.sequence, opened.bundle)
    was = build_from(history_entries.taken_back(opened.character, facts, [change.before], opened.bundle))
    build = build_from(facts)
    bundle = rules_of(opened.character, build.sources)
    before = derive(bundle, rested(up_to(bundle, was, level - 1)))
    after = derive(bundle, rested(up_to(bundle, build, level)))
    pick = pick_at(bundle, build.decisions, level)
    moves = [move for move in difference(before, after) if move.key != "level" and move.kind != "choice"]
    fresh = [bundle.elements[ref] for ref in features(after) if ref not in before.active]
    new = {one.name for one in fresh}
    shown = [one for one in diff_texts(bundle, opened.steps, moves) if one.name not in new]
    lists = [
        (bundle.game.headings.get(section, title), tuple(one for one in shown if one.kind in kinds))
        for section, kinds, title in LISTS
    ]
    return Gain(
        level=level,
        pick=in_words(bundle, pick, build.decisions),
        reason=next((one.override for one in pick if one.override), ""),
        numbers=tuple(one for one in shown if one.kind in ("value", "resource", "recovery", "action", "feature")),
        features=tuple(
            Feature(one.name, one.text or one.summary, rule_url(one.ref, bundle), uses_of(bundle, one.ref, after))
            for one in fresh
        ),
        lists=tuple((title, found) for title, found in lists if found),
    )


def uses_of(bundle: Bundle, ref: str, sheet: Sheet) -> str:
    """`2 uses of a d8, back after a short rest`; "" for what has no limit."""
    lines = [line for line in sheet.resources.values() if line.ref == ref and line.max and line.style != "turn"]
    return "; ".join(
        f"{counted(line.max, 'use')}{f' of a d{line.die}' if line.die else ''}, {back_after(bundle, line)}"
        for line in lines
    )
