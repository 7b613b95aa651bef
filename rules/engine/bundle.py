"""The content of one or more sources, merged and indexed. `derive` reads this, not the database."""

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from .content import (
    Ability,
    Choice,
    Circumstance,
    Condition,
    Effect,
    Element,
    Ref,
    Resource,
    RestEvent,
    Stat,
    Suggestion,
    Switch,
    called,
)
from .missing import by_new_names, without_missing

if TYPE_CHECKING:
    from rules.games.contract import Game


@dataclass(frozen=True)
class Bundle:
    """All content that a character may use, retired elements included. Drafts are not in it."""

    ruleset: str
    game: "Game"  # all code that differs between games, such as rolls and actions
    revision: tuple[tuple[str, int], ...]  # (source slug, revision)
    elements: Mapping[Ref, Element] = field(default_factory=dict)
    stats: Mapping[str, Stat] = field(default_factory=dict)
    circumstances: Mapping[str, Circumstance] = field(default_factory=dict)
    switches: Mapping[str, Switch] = field(default_factory=dict)
    events: Mapping[str, RestEvent] = field(default_factory=dict)
    lookups: Mapping[str, Mapping[int, int]] = field(default_factory=dict)
    lookup_labels: Mapping[str, Mapping[int, str]] = field(default_factory=dict)
    suggestions: tuple[Suggestion, ...] = ()
    core: frozenset[str] = frozenset()  # the slugs of the sources that every character has

    @cached_property
    def newest(self) -> int:
        """The highest revision of its sources; 0 if there are none."""
        return max((revision for _, revision in self.revision), default=0)

    @property
    def level(self) -> str:
        """The game’s word for a level, as in a sentence."""
        return self.game.levels.NAME

    @property
    def kinds(self) -> Mapping[str, tuple[str, str]]:
        """The game’s own words for kinds of element."""
        return self.game.kinds

    def called(self, ref: Ref) -> str:
        """The name of an element, or a name made from its slug if these rules do not have it."""
        element = self.elements.get(ref)
        return element.name if element else called(ref)

    def of_kind(self, kind: str) -> tuple[Element, ...]:
        """Every element of `kind` in reading order (sort, then name)."""
        return self.by_kind.get(kind, ())

    def offered(self, kind: str) -> list[Element]:
        """The elements of `kind` that may be chosen. Retired ones may not; characters who have one keep it."""
        return [element for element in self.of_kind(kind) if element.status == "published"]

    def offered_switches(self, set_to: Container[str]) -> dict[str, Switch]:
        """The house rules that may be set, by key. A retired one is among them only if it is set already."""
        return {key: one for key, one in self.switches.items() if one.status == "published" or key in set_to}

    @cached_property
    def by_kind(self) -> dict[str, tuple[Element, ...]]:
        kinds: dict[str, list[Element]] = {}
        for element in self.elements.values():
            kinds.setdefault(element.kind, []).append(element)
        return {k: tuple(sorted(v, key=lambda e: (e.sort, e.name, e.ref))) for k, v in kinds.items()}

    @cached_property
    def abilities(self) -> tuple[tuple[Element, Ability], ...]:
        """Each ability in reading order: its element, and its columns that only abilities have."""
        return tuple((one, one.ability) for one in self.of_kind("ability") if one.ability)

    @cached_property
    def choices(self) -> dict[str, Choice]:
        """Every choice by its key."""
        return {choice.key: choice for element in self.elements.values() for choice in element.choices}

    @cached_property
    def choice_order(self) -> dict[str, int]:
        """The position of each choice in reading order."""
        return {key: at for at, key in enumerate(self.choices)}

    @cached_property
    def former(self) -> dict[Ref, Ref]:
        """Former ref -> present ref of each renamed element, unless another element has the former ref now."""
        found = {f"{one.kind}:{slug}": one.ref for one in self.elements.values() for slug in one.was.split()}
        return {old: ref for old, ref in found.items() if old not in self.elements}

    @cached_property
    def former_choices(self) -> dict[str, str]:
        """Former key -> present key of each choice of a renamed element. Choice keys begin with the owner's slug."""
        found = {
            f"{old.partition(':')[2]}.{choice.slug}": choice.key
            for old, ref in self.former.items()
            for choice in self.elements[ref].choices
        }
        return {old: key for old, key in found.items() if old not in self.choices}

    @cached_property
    def ways(self) -> tuple[Choice, ...]:
        """The choices that share the one pick of a level, in printed order: each level is spent on one of them. Empty
        where levels buy nothing."""
        return tuple(choice for choice in self.choices.values() if choice.budget and choice.every)

    @cached_property
    def way_keys(self) -> frozenset[str]:
        return frozenset(choice.key for choice in self.ways)

    @cached_property
    def resources(self) -> dict[str, Resource]:
        """Every resource by its slug."""
        return {resource.slug: resource for element in self.elements.values() for resource in element.resources}

    @cached_property
    def memo(self) -> dict[Any, Any]:
        """A cache for results that depend on content alone."""
        return {}

    @cached_property
    def grants(self) -> dict[Ref, tuple[Effect, ...]]:
        """The grants of each element that has any."""
        found = {ref: tuple(e for e in element.effects if e.kind == "grant") for ref, element in self.elements.items()}
        return {ref: effects for ref, effects in found.items() if effects}

    @cached_property
    def owning_jobs(self) -> dict[Ref, tuple[Ref, ...]]:
        """The jobs that each element belongs to: for a path, its job; for a feature, each job that gives it, directly,
        by a path or by a choice."""
        found: dict[Ref, tuple[Ref, ...]] = {}
        for job in self.of_kind("job"):
            paths = [path.ref for path in self.of_kind("path") if path.parent == job.ref]
            given: list[Ref] = []
            for ref in (job.ref, *paths):
                given += [effect.element for effect in self.grants.get(ref, ())]
                given += [option for choice in self.elements[ref].choices for option in choice.options]
            for ref in dict.fromkeys([*paths, *(one for one in given if one.startswith("feature:"))]):
                found[ref] = (*found.get(ref, ()), job.ref)
        return found

    @cached_property
    def always(self) -> tuple[Ref, ...]:
        """The elements that every character has: rules topics that have mechanics, not only text."""
        return tuple(
            e.ref for e in self.of_kind("rules") if e.effects or e.choices or e.resources or e.recoveries or e.actions
        )

    @cached_property
    def owning(self) -> frozenset[Ref]:
        """The elements with resources of their own."""
        return frozenset(resource.owner for resource in self.resources.values())

    @cached_property
    def recovering(self) -> frozenset[Ref]:
        """The elements that bring a resource back."""
        return frozenset(ref for ref, element in self.elements.items() if element.recoveries)

    @cached_property
    def asks_numbers(self) -> frozenset[Ref]:
        """The elements with a prerequisite about a statistic."""
        return frozenset(ref for ref, e in self.elements.items() if any(test.stat for test in e.prerequisites))

    @cached_property
    def growing_into(self) -> frozenset[Ref]:
        """The elements with a prerequisite that may be met at one level of a character and not at another."""
        return frozenset(ref for ref, e in self.elements.items() if any(test.grows for test in e.prerequisites))

    @cached_property
    def replacing(self) -> frozenset[Ref]:
        """The elements that offer a replacement for a proficiency gained twice (ruling 22)."""
        return frozenset(choice.owner for choice in self.choices.values() if choice.for_duplicates)

    @cached_property
    def situations(self) -> dict[Ref, frozenset[str]]:
        """The circumstances, switched on the sheet or decided at the table, that each element's rows depend on."""
        numbers = {"modify", "roll"}
        asked = {
            ref: frozenset(
                e.when
                for e in element.effects
                if e.kind in numbers and e.when and self.circumstances[e.when].detection != "auto"
            )
            for ref, element in self.elements.items()
        }
        return {ref: slugs for ref, slugs in asked.items() if slugs}

    @cached_property
    def included(self) -> dict[str, frozenset[str]]:
        """Each rest event with all that it includes, directly or not, itself among them. Two may include each other."""
        found = {}
        for slug in self.events:
            happen = [slug]
            for one in happen:
                happen += [other for other in self.events[one].includes if other not in happen]
            found[slug] = frozenset(happen)
        return found

    @cached_property
    def brought(self) -> dict[str, tuple[str, ...]]:
        """For each rest event, the events that bring back what it does, shortest first: itself and those that include
        it."""
        in_order = [event.slug for event in sorted(self.events.values(), key=lambda event: (event.sort, event.slug))]
        return {slug: tuple(event for event in in_order if slug in self.included[event]) for slug in in_order}

    @cached_property
    def conditions(self) -> tuple[tuple[Ref, Condition], ...]:
        return tuple((one.ref, one.condition) for one in self.of_kind("condition") if one.condition)

    @cached_property
    def tracked(self) -> dict[Ref, Condition]:
        """The conditions whose stacks are the spent amount of a resource."""
        return {ref: condition for ref, condition in self.conditions if condition.resource}

    @cached_property
    def stackable(self) -> dict[Ref, int]:
        """The conditions that stack, each with the most stacks it may have."""
        return {ref: one.max_stacks for ref, one in self.conditions if one.stackable and not one.resource}

    @cached_property
    def asks_empty(self) -> frozenset[str]:
        """The circumstances that ask whether a resource is used up."""
        return frozenset(
            slug
            for slug, circumstance in self.circumstances.items()
            if any(test.test == "resource_empty" for test in circumstance.tests)
        )

    @cached_property
    def armor_categories(self) -> frozenset[Ref]:
        return frozenset(element.armor.category for element in self.of_kind("armor") if element.armor)

    @cached_property
    def defaults(self) -> dict[str, str]:
        """Every house rule at its default."""
        return {key: switch.default for key, switch in self.switches.items()}

    @cached_property
    def asks_of_context(self) -> dict[str, frozenset[str]]:
        """The facts about a single roll or owner that each circumstance tests, as fields of `RowContext`."""
        asks = {"roll_trained": "trained", "roll_named": "named", "wields": "grip", "first_job": "first_job"}
        return {
            slug: frozenset(asks[test.test] for test in circumstance.tests if test.test in asks)
            for slug, circumstance in self.circumstances.items()
        }

    def with_elements(self, extra: Iterable[Element]) -> "Bundle":
        """A copy with these elements added or replaced; for previews and tests."""
        return replace(self, elements={**self.elements, **{element.ref: element for element in extra}})


def merge(bundles: Iterable[Bundle]) -> Bundle:
    """One bundle made of several, in order: each adds to those before it or replaces parts of them. Raises ValueError
    if there are none.

    Lists the options of every choice anew, so choices of an earlier layer offer content of later ones. Leaves out rows
    that name something no layer has, by its present or a former name.
    """
    layers = list(bundles)
    if not layers:
        raise ValueError("A character needs at least one source of rules.")

    def all_of(name: str) -> dict[str, Any]:
        merged: dict[str, Any] = {}
        for layer in layers:
            merged |= getattr(layer, name)
        return merged

    merged = Bundle(
        ruleset=layers[0].ruleset,
        game=layers[0].game,
        revision=tuple(pair for layer in layers for pair in layer.revision),
        elements=all_of("elements"),
        stats=all_of("stats"),
        circumstances=all_of("circumstances"),
        switches=all_of("switches"),
        events=all_of("events"),
        lookups=all_of("lookups"),
        lookup_labels=all_of("lookup_labels"),
        suggestions=tuple(row for layer in layers for row in layer.suggestions),
        core=frozenset().union(*(layer.core for layer in layers)),
    )
    merged = without_missing(by_new_names(merged))
    return merged.with_elements(_with_options(merged))


def _with_options(bundle: Bundle) -> list[Element]:
    """The elements that own choices, with the options listed."""
    return [
        replace(owner, choices=tuple(_with_its_options(bundle, owner, choice) for choice in owner.choices))
        for owner in bundle.elements.values()
        if owner.choices
    ]


def _with_its_options(bundle: Bundle, owner: Element, choice: Choice) -> Choice:
    found: dict[str, list[Ref]] = {"published": [], "retired": []}
    for ref in _meant(bundle, owner, choice):
        found[bundle.elements[ref].status].append(ref)
    return replace(choice, options=tuple(found["published"]), retired=tuple(found["retired"]))


def _meant(bundle: Bundle, owner: Element, choice: Choice) -> Iterable[Ref]:
    """The elements that a choice names or finds with its filter."""
    named = [ref for ref in choice.options if ref in bundle.elements]
    if not (choice.filter_kind or choice.filter_group or choice.filter_parent):
        return named
    if choice.filter_kind:
        candidates: Iterable[Element] = bundle.of_kind(choice.filter_kind)
    else:
        candidates = (element for kind in bundle.by_kind for element in bundle.of_kind(kind))
    found = [
        element.ref
        for element in candidates
        if (not choice.filter_group or choice.filter_group in element.groups)
        and (not choice.filter_parent or element.parent == owner.ref)
    ]
    return dict.fromkeys([*named, *found])
