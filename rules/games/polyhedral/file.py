"""The character file to a Build, and back. docs/character-file.md describes its format."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict

from rules.engine.build import Build, Decision
from rules.engine.bundle import Bundle
from rules.engine.sheet import Problem, Sheet
from rules.games.strict_json import MOST_PROBLEMS

from .file_names import FileNames
from .file_read import COUNTED, LEFT, FileReader
from .paths import ORIGIN, TAKE
from .play.life import with_state
from .shape import FORMAT, NOT_KNOWN, problems_of_shape, well_shaped


def read(document: object, bundle: Bundle) -> tuple[Build | None, tuple[Problem, ...]]:
    """The build in a parsed document, or None and every problem with its path.

    Checks shape and names. `derive` says whether the character keeps the rules.
    """
    shape, errors = problems_of_shape(document)
    if not isinstance(document, dict) or document.get("format") != FORMAT or len(shape) >= MOST_PROBLEMS:
        return None, shape
    # Names are looked up even if the shape is wrong elsewhere, so that all problems are reported at once.
    reader = FileReader(bundle, frozenset(problem.where for problem in shape if problem.text != NOT_KNOWN))
    build = reader.read(well_shaped(document, errors))
    problems = tuple(dict.fromkeys((*shape, *reader.problems)))
    return (None if problems else build), problems


def write(build: Build, sheet: Sheet, bundle: Bundle, left_out: Sequence[str] = ()) -> dict[str, object]:
    """The document of a character, without anything empty, full or default. Reading and writing it again gives the same
    document."""
    names = FileNames(bundle)
    document: dict[str, object] = {
        "format": FORMAT,
        "ruleset": bundle.ruleset,
        "name": build.name,
        "xp": build.xp,
        "milestone": build.milestone,
        "house_rules": _house_rules(build, left_out),
        "origin": _origin(build, names),
        "abilities": _abilities(build, names),
        "job": next((names.answer(d) for d in build.decisions if d.choice == "core-rules.job"), None),
        "choices": _choices(build.decisions, names, 1),
        "levels": _levels(build.decisions, names),
        "plan": _levels(build.plan, names),
        "awards": [
            _filled({"kind": one.kind, "element": one.write_in or one.ref.partition(":")[2], "reason": one.reason})
            for one in build.awards
        ],
        "aspects": [{"kind": kind, "text": text} for kind, text in build.aspects],
        "relationships": [_filled({**asdict(one), "agreed": one.agreed or None}) for one in build.relationships],
        "notes": list(build.notes),
        "downtime": [_filled(asdict(days)) for days in build.downtimes],
        "spells": [_filled(asdict(spell) | {"cantrip": spell.cantrip or None, "key": ""}) for spell in build.spells],
        "inventory": [
            _filled(
                {
                    "item": item.ref.partition(":")[2],
                    "custom": item.custom,
                    "quantity": item.quantity if item.quantity != 1 else None,
                    "state": item.state,
                    "used": item.used or None,
                }
            )
            for item in build.items
        ],
        "state": _state(build, sheet),
    }
    always = {"name": build.name, "xp": build.xp}
    return {key: value for key, value in document.items() if key in always or value not in (None, {}, [])}


def dump(document: dict[str, object]) -> str:
    """The document as text, always the same for the same document."""
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _filled(entry: dict[str, object]) -> dict[str, object]:
    return {key: value for key, value in entry.items() if value not in (None, "", {}, [])}


def _house_rules(build: Build, left_out: Sequence[str]) -> dict[str, object]:
    switches = dict(sorted(build.switches.items()))
    return _filled({"sources": sorted(build.sources), "left_out": sorted(left_out), "switches": switches})


def _origin(build: Build, names: FileNames) -> dict[str, object]:
    origin = {}
    for key, path in ORIGIN.items():
        if path.startswith("origin."):
            made = [d for d in build.decisions if d.choice == key]
            if made:
                origin[path.partition(".")[2]] = names.answer(made[0])
    return origin


def _abilities(build: Build, names: FileNames) -> dict[str, object]:
    ranks = {slug: build.inputs[stat] for slug, stat in names.abilities.items() if stat in build.inputs}
    bonuses = _points(build.decisions, "core-rules.ability-bonuses", names)
    rolls = [list(faces) for faces in build.dice] if build.method == "rolled" else None
    return _filled({"method": build.method, "ranks": ranks, "bonuses": bonuses, "rolls": rolls})


def _points(decisions: Iterable[Decision], key: str, names: FileNames, level: int = 1) -> dict[str, int]:
    made = {d.stat: d.points for d in decisions if d.choice == key and d.level == level}
    return {slug: made[stat] for slug, stat in names.abilities.items() if stat in made}


def _choices(decisions: Iterable[Decision], names: FileNames, level: int) -> dict[str, object]:
    """The level's further choices by key, each with its answers in order."""
    choices: dict[str, list[object]] = {}
    for decision in sorted(decisions, key=lambda d: (d.choice, d.position)):
        if decision.level == level and decision.choice not in ORIGIN and decision.choice not in TAKE:
            choices.setdefault(decision.choice, []).extend([names.answer(decision)] * decision.points)
    return dict(choices)


def _levels(decisions: Iterable[Decision], names: FileNames) -> list[dict[str, object]]:
    decisions = [d for d in decisions if d.level > 1]
    levels = []
    for level in sorted({d.level for d in decisions}):
        made = [d for d in decisions if d.level == level]
        entry: dict[str, object] = {"level": level}
        for decision in made:
            if decision.choice in TAKE and "take" not in entry:
                word = TAKE[decision.choice]
                entry["take"] = "abilities" if word == "ranks" else word
                entry[word] = (
                    _points(made, decision.choice, names, level) if word == "ranks" else decision.ref.partition(":")[2]
                )
                entry["override"] = decision.override
        entry["choices"] = _choices(made, names, level)
        order = ("level", "take", "job", "ranks", "talent", "choices", "override")
        levels.append(_filled({key: entry[key] for key in order if key in entry}))
    return levels


def _state(build: Build, sheet: Sheet) -> dict[str, object]:
    spent = {slug: line.spent for slug, line in sheet.resources.items()} | {
        slug: amount for slug, amount in build.spent.items() if slug not in sheet.resources
    }
    state: dict[str, object] = {}
    for slug in LEFT:
        line = sheet.resources.get(slug)
        if (
            line and line.spent and line.max > 0
        ):  # without a maximum, 0 left means nothing, and 0 health would mean dying
            state[slug] = line.left
    for key, slug in COUNTED.items():
        if spent.get(slug):
            state[key] = spent[slug]
    health = sheet.resources.get("health")
    conditions = with_state(build.conditions, health.left if health and health.max else None, spent)
    state["conditions"] = [
        _filled(
            {
                "condition": held.ref.partition(":")[2],
                "stacks": held.stacks if held.stacks != 1 else None,
                "source": held.source,
                "until": held.until,
                "rounds": held.rounds or None,
            }
        )
        for held in sorted(conditions, key=lambda h: (h.ref, h.source))
    ]
    own = {*LEFT, *COUNTED.values()}
    state["spent"] = {slug: amount for slug, amount in sorted(spent.items()) if amount and slug not in own}
    state["toggles"] = sorted(build.toggles)
    state["rest"] = _filled({"rest": build.rest, "dice": build.rest_dice or None}) if build.rest else {}
    return {key: value for key, value in state.items() if value not in ({}, [])}
