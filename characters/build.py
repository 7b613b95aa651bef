"""From a character's rows to what the engine reads, and to the sheet."""

from collections import defaultdict
from collections.abc import Callable
from operator import itemgetter
from typing import Any

from rules.compile import bundle_for
from rules.engine import derive
from rules.engine.build import Award, Build, Decision, Downtime, Held, Item, Spell, Tie
from rules.engine.bundle import Bundle
from rules.engine.changed import changed
from rules.engine.sheet import Sheet

from . import addresses, rows

type Parts = dict[str, dict[str, Any]]


def load_build(character) -> Build:
    """The character as plain data, in two queries."""
    return build_from(rows.stored(character))


def sheet_of(character) -> tuple[Bundle, Build, Sheet]:
    """The rules the character plays by, what was decided, and everything derived from both."""
    build = load_build(character)
    bundle = bundle_of(character, build)
    return bundle, build, derive(bundle, build)


def bundle_of(character, build: Build) -> Bundle:
    """The content of the core sources of the character's game and of those its house rules name."""
    return bundle_for(character.ruleset, build.sources)


def build_from(facts: rows.Facts) -> Build:
    """The Build that facts by address describe."""
    parts = _parts(facts)
    return Build(**{name: of(parts) for name, (_, of) in MADE.items()})


def rebuilt(build: Build, facts: rows.Facts, moved: set[str]) -> Build:
    """The Build of these facts, which differ in no other namespaces than `moved` from those `build` was made of."""
    made = {name: (words, of) for name, (words, of) in MADE.items() if not moved.isdisjoint(words)}
    read = tuple({f"{word}:" for words, _ in made.values() for word in words})
    parts = _parts({address: value for address, value in facts.items() if address.startswith(read)})
    return changed(build, **{name: of(parts) for name, (_, of) in made.items()})


def _parts(facts: rows.Facts) -> Parts:
    """By namespace, and in it by name."""
    parts: Parts = defaultdict(dict)
    for address, value in facts.items():
        parts[addresses.namespace(address)][addresses.name(address)] = value
    return parts


def _field(name, otherwise=None):
    return lambda parts: parts["field"].get(name, otherwise)


def _items(parts):
    used = parts["used"]
    return tuple(
        Item(value.get("ref", ""), value.get("custom", ""), value["quantity"], value["state"], key, used.get(key, 0))
        for key, value in _in_order(parts["item"])
    )


def _conditions(parts):
    return tuple(
        Held(ref, value["stacks"], source, value["until"], value.get("rounds", 0))
        for name, value in sorted(parts["condition"].items(), key=itemgetter(0))
        for ref, source in [addresses.condition_parts(f"condition:{name}")]
    )


def _spells(parts):
    return tuple(
        Spell(**{name: part for name, part in value.items() if name != "position"}, key=key)
        for key, value in _in_order(parts["spell"])
    )


def _prose(word, kind, *columns):
    return lambda parts: tuple(kind(*(value[column] for column in columns)) for _, value in _in_order(parts[word]))


# For each field of the Build: the namespaces that it is made of, and how.
MADE: dict[str, tuple[tuple[str, ...], Callable[[Parts], Any]]] = {
    "name": (("field",), _field("name", "")),
    "xp": (("field",), _field("xp", 0)),
    "milestone": (("field",), _field("milestone")),
    "method": (("field",), _field("method", "")),
    "dice": (("field",), lambda parts: tuple(tuple(faces) for faces in parts["field"].get("dice", []))),
    "rest": (("field",), _field("rest", "")),
    "rest_dice": (("field",), _field("rest_dice", 0)),
    "inputs": (("input",), lambda parts: dict(parts["input"])),
    "decisions": (("choice",), lambda parts: tuple(_decisions(parts["choice"]))),
    "plan": (("plan",), lambda parts: tuple(_decisions(parts["plan"]))),
    "items": (("item", "used"), _items),
    "conditions": (("condition",), _conditions),
    "awards": (
        ("award",),
        lambda parts: tuple(Award(ref, one["reason"]) for ref, one in sorted(parts["award"].items())),
    ),
    "aspects": (("aspect",), _prose("aspect", lambda *kind_and_text: kind_and_text, "kind", "text")),
    "relationships": (("relationship",), _prose("relationship", Tie, "other", "based_on", "text", "agreed")),
    "notes": (("note",), _prose("note", str, "text")),
    "downtimes": (("downtime",), _prose("downtime", Downtime, "days", "activity", "notes", "outcome")),
    "spells": (("spell",), _spells),
    "spent": (("spent",), lambda parts: {slug: spent for slug, spent in parts["spent"].items() if spent}),
    "toggles": (("toggle",), lambda parts: frozenset(parts["toggle"])),
    "switches": (("switch",), lambda parts: dict(parts["switch"])),
    "sources": (("source",), lambda parts: frozenset(parts["source"])),
}


def _decisions(choices):
    keyed = ((addresses.choice_parts(f"choice:{name}"), made) for name, made in choices.items())
    for (key, level), made in sorted(keyed, key=lambda pair: (pair[0][1], pair[0][0])):
        for position, one in enumerate(made):
            yield Decision(
                choice=key,
                level=level,
                position=position,
                ref=one.get("ref", ""),
                stat=one.get("stat", ""),
                write_in=one.get("write_in", ""),
                points=one.get("points", 1),
                override=one.get("override", ""),
            )


def _in_order(rows_by_id):
    return sorted(rows_by_id.items(), key=lambda pair: (pair[1]["position"], int(pair[0])))
