"""The content of each step besides its questions, by one function per step; a step without one has only questions."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from characters.pages.levels.pick_names import in_words
from characters.read.number_format import of_stat
from characters.verbs.aspects import suggested
from rules.engine.content import Element, Suggestion

from . import questions, rank_rows, shop
from .builder_character import BuilderCharacter
from .previews import answers_to
from .step_refusal import StepRefusal


def context(opened: BuilderCharacter, step: str, refusal: StepRefusal, query: Mapping[str, str]) -> dict[str, Any]:
    """The template's variables for a step. `query` is the page's own GET, for tabs.

    `places` are the ids of the parts that draw a refusal themselves; any other refusal is at the top of the page.
    """
    own = OWN.get(step)
    asked = {} if step == "equipment" else {"sections": questions.sections(opened, step, refusal)}
    return {"lede": opened.steps.LEDES[step], **asked, **(own(opened, refusal, query) if own else {})}


@dataclass(frozen=True)
class AspectGroup:
    kind: str
    name: str
    help: str
    chosen: tuple[str, ...]
    suggestions: tuple[tuple[Suggestion, bool], ...]
    error: str = ""
    typed: str = ""


def _aspects(opened: BuilderCharacter, refusal: StepRefusal, query: Mapping[str, str]) -> dict[str, Any]:
    def group(kind: str, name: str, help: str) -> AspectGroup:
        chosen = tuple(text for found, text in opened.build.aspects if found == kind)
        refused = refusal.at(kind)
        rows = tuple((row, row.text in chosen) for row in suggested(opened.bundle, opened.sheet, kind))
        return AspectGroup(kind, name, help, chosen, rows, refused.sentence, refused.posted.get("text", ""))

    groups = [group(kind, *words) for kind, words in opened.steps.ASPECTS.items()]
    return {
        "groups": groups,
        "rolls_missing": any(not group.chosen for group in groups),
        "places": set(opened.steps.ASPECTS),
        "roll_url": reverse("characters:roll-aspects", args=[opened.character.pk]),
        "aspect_url": reverse("characters:aspect", args=[opened.character.pk]),
    }


def _review(opened: BuilderCharacter, refusal: StepRefusal, query: Mapping[str, str]) -> dict[str, Any]:
    return {
        "missing": [
            {"step": opened.steps.STEPS[one.step], "text": one.text, "url": f"{opened.url(one.step)}#{one.anchor}"}
            for one in opened.steps.missing(opened.bundle, opened.build, opened.sheet)
        ],
        "problems": [
            {"text": problem.text, "url": f"{opened.url(step)}#{place}"} for step, place, problem in opened.problems
        ],
        "unused": _unused(opened),
        "item_url": reverse("characters:item", args=[opened.character.pk]),
        "unused_error": refusal.at("unused").sentence,
        "places": {"unused"},
        "summary": _summary(opened),
    }


@dataclass(frozen=True)
class Unused:
    """Armor or a weapon that is only carried: the place to use it in, and what would be put away for it."""

    key: str
    name: str
    place: str
    instead: tuple[str, ...]


def _unused(opened: BuilderCharacter) -> list[Unused]:
    rules, found = opened.game.places, []
    for item in rules.unused(opened.bundle, opened.build.items):
        element = opened.bundle.elements[item.ref]
        ways = [(place, _in_the_way(opened, element, place)) for place in rules.of_use(element)]
        place, instead = min(ways, key=lambda way: len(way[1]))
        found.append(Unused(item.key, element.name, place, instead))
    return found


def _in_the_way(opened: BuilderCharacter, element: Element, place: str) -> tuple[str, ...]:
    """The names of the things that would be put away to make room for this one."""
    held = [(opened.bundle.elements.get(item.ref), item) for item in opened.build.items]
    in_the_way = opened.game.places.in_the_way
    return tuple(
        other.name if other else item.custom for other, item in held if in_the_way(element, place, other, item.state)
    )


def _summary(opened: BuilderCharacter) -> list[tuple[str, list[str], str]]:
    """The answers given so far: the question, the answers, and the link to change them."""
    rows = []
    for step, sections in opened.sections.items():
        if step == "abilities" and rank_rows.kept(opened):
            stats = [opened.bundle.stats[key] for key in opened.game.creation.rank_stats(opened.bundle)]
            named = [f"{stat.name} {of_stat(stat, opened.build.inputs[stat.key], opened.bundle)}" for stat in stats]
            rows.append((opened.game.creation.NAME, named, f"{opened.url(step)}#ranks"))
        for section in sections:
            for line in section.lines:
                if line.chosen:
                    url = f"{opened.url(step)}#{opened.steps.anchor(line.choice.key, line.level)}"
                    made = [in_words(opened.bundle, [one]) for one in answers_to(opened.build, line)]
                    rows.append((line.choice.prompt, made, url))
    for kind, (name, _) in opened.steps.ASPECTS.items():
        texts = [text for found, text in opened.build.aspects if found == kind]
        if texts:
            rows.append((name, texts, f"{opened.url('aspects')}#{kind}"))
    return rows


OWN: dict[str, Callable[[BuilderCharacter, StepRefusal, Mapping[str, str]], dict[str, Any]]] = {
    "aspects": _aspects,
    "abilities": rank_rows.context,
    "equipment": shop.context,
    "review": _review,
}
