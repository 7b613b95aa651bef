"""Names that no source in play has. Rows that need one are left out, so that the rest still works."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any

from .content import (
    Ability,
    Action,
    Armor,
    Choice,
    Effect,
    Element,
    PropertyUse,
    Recovery,
    Ref,
    Requirement,
    RestEvent,
    Spell,
    Stat,
    Weapon,
)

if TYPE_CHECKING:
    from .bundle import Bundle

# Names that a row cannot do without, each with the table of the bundle it is looked up in. Other names (a group, a
# parent, the maximum of a resource, the element of a requirement) may be missing: then nothing is found.
NAMES: dict[type, tuple[tuple[str, str], ...]] = {
    Effect: (
        ("when", "circumstances"),
        ("stat", "stats"),
        ("ability", "elements"),
        ("subject", "elements"),
        ("element", "elements"),
    ),
    Choice: (("when", "circumstances"), ("count_of", "stats"), ("ceiling", "stats")),
    Recovery: (("resource", "resources"), ("event", "events"), ("when", "circumstances")),
    Action: (("resource", "resources"), ("fires", "events"), ("when", "circumstances"), ("begins", "elements")),
    PropertyUse: (("property", "elements"),),
    Requirement: (("stat", "stats"), ("switch", "switches")),
    Stat: (("switch", "switches"), ("spent_of", "resources"), ("created_of", "stats")),
    Element: (("key_ability", "elements"),),
    Ability: (("rank_stat", "stats"), ("modifier_stat", "stats")),
    Weapon: (("category", "elements"), ("damage_type", "elements")),
    Armor: (("category", "elements"), ("adds_ability", "elements")),
    Spell: (("saving_throw", "elements"),),
}


def missing(row: Any, bundle: "Bundle") -> list[tuple[str, str]]:
    """Each name in a row that the bundle does not have, with the field it is in."""
    found = []
    for field, table in NAMES[type(row)]:
        name = getattr(row, field)
        if name and name not in getattr(bundle, table):
            found.append((field, name))
    amount = getattr(row, "amount", None)
    if amount is not None and amount.of_stat and amount.of_stat not in bundle.stats:
        found.append(("amount", amount.of_stat))
    return found


def without_missing(bundle: "Bundle") -> "Bundle":
    """The bundle without anything that names something it does not have.

    Leaves out rows, and elements that need the missing thing, such as a weapon without its damage type. A statistic
    stays, because a game may count on it, but reads nothing. A requirement of a missing number or house rule is never
    met, negated or not. Nobody has a missing element, so everyone meets a negated requirement of it.
    """
    bundle = _without_elements(bundle)
    return replace(
        bundle,
        elements={ref: _element(element, bundle) for ref, element in bundle.elements.items()},
        stats={key: _stat(stat, bundle) for key, stat in bundle.stats.items()},
        circumstances={
            slug: replace(one, tests=tests) if (tests := _tests(one.tests, bundle)) != one.tests else one
            for slug, one in bundle.circumstances.items()
        },
        events={slug: _event(event, bundle) for slug, event in bundle.events.items()},
    )


def by_new_names(bundle: "Bundle") -> "Bundle":
    """The bundle with the present names of elements in every row: another source may have renamed one since."""
    former = bundle.former
    if not former:
        return bundle
    renaming = {bundle.elements[ref].source for ref in former.values()}
    return replace(
        bundle,
        elements={
            ref: _renamed(element, former) if renaming - {element.source} else element
            for ref, element in bundle.elements.items()
        },
        circumstances={slug: _renamed(one, former) for slug, one in bundle.circumstances.items()},
    )


def _renamed(value: Any, former: Mapping[Ref, Ref]) -> Any:
    """A row, or a value in one, with every old name replaced; the same object if it has none."""
    if isinstance(value, str):
        return former.get(value, value)
    if isinstance(value, tuple):
        return tuple(_renamed(one, former) for one in value)
    if not is_dataclass(value) or isinstance(value, type):
        return value
    had = {field.name: getattr(value, field.name) for field in fields(value) if field.init}
    now = {name: _renamed(one, former) for name, one in had.items()}
    return replace(value, **now) if now != had else value


def _without_elements(bundle: "Bundle") -> "Bundle":
    """The bundle without the elements that lack something. Repeats, because leaving out an ability leaves out its
    skills."""
    while gone := {ref for ref, element in bundle.elements.items() if not _stands(element, bundle)}:
        left = {ref: element for ref, element in bundle.elements.items() if ref not in gone}
        bundle = replace(bundle, elements=left)
    return bundle


def _stands(element: Element, bundle: "Bundle") -> bool:
    parts = (element, element.ability, element.weapon, element.armor, element.spell)
    return not any(missing(part, bundle) for part in parts if part is not None)


def _element(element: Element, bundle: "Bundle") -> Element:
    """The element; the same object if nothing is missing, which is the usual case."""
    parts: dict[str, Any] = {
        "effects": _whole(element.effects, bundle),
        "choices": _choices(element.choices, bundle),
        "prerequisites": _tests(element.prerequisites, bundle),
        "recoveries": _whole(element.recoveries, bundle),
        "actions": _whole(element.actions, bundle),
        "properties": _whole(element.properties, bundle),
    }
    if all(rows == getattr(element, name) for name, rows in parts.items()):
        return element
    return replace(element, **parts)


def _whole[Row](rows: tuple[Row, ...], bundle: "Bundle") -> tuple[Row, ...]:
    return tuple([row for row in rows if not missing(row, bundle)]) if rows else rows


def _choices(choices: tuple[Choice, ...], bundle: "Bundle") -> tuple[Choice, ...]:
    """These choices without missing statistics. Missing elements are left out when options are listed."""
    return tuple(
        replace(choice, stats=stats)
        if (stats := tuple(stat for stat in choice.stats if stat in bundle.stats)) != choice.stats
        else choice
        for choice in _whole(choices, bundle)
    )


def _tests(tests: tuple[Requirement, ...], bundle: "Bundle") -> tuple[Requirement, ...]:
    """The tests. One of a missing statistic or house rule becomes a test for an element of that name, which nobody
    has."""
    return tests and tuple(
        replace(test, test="has", ref=gone[0][1], stat="", switch="", negate=False)
        if (gone := missing(test, bundle))
        else test
        for test in tests
    )


def _stat(stat: Stat, bundle: "Bundle") -> Stat:
    gone: dict[str, Any] = {field: "" for field, _ in missing(stat, bundle)}
    return replace(stat, **gone) if gone else stat


def _event(event: RestEvent, bundle: "Bundle") -> RestEvent:
    includes = tuple(slug for slug in event.includes if slug in bundle.events)
    return replace(event, includes=includes) if includes != event.includes else event
