"""The content of one or more sources as plain, immutable data: what `derive` reads instead of the database.

An element is named by its *ref*, `"kind:slug"` (`"skill:athletics"`), a choice by `"<owner slug>.<choice slug>"`
(`"fighter.fighting-style"`), a statistic by its key (`"rank.strength"`), a circumstance, resource, rest event,
lookup table and switch by its slug or key.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

type Ref = str


@dataclass(frozen=True, slots=True)
class Amount:
    """A typed amount: `clamp(flat + times * of_stat / divided_by) * per`.

    The division rounds down unless `round_up`. The clamp comes before `per`, so that "8 + modifier, at least 1,
    at each rank" is one row (ruling 15). `per` is once, rank, level, stack or property_a.
    """

    flat: int = 0
    of_stat: str = ""
    times: int = 1
    divided_by: int = 1
    round_up: bool = False
    per: str = "once"
    at_least: int | None = None
    at_most: int | None = None
    plain: bool = field(init=False, default=False)  # nothing but `flat`

    def __post_init__(self) -> None:
        limits = (self.at_least, self.at_most)
        object.__setattr__(self, "plain", not self.of_stat and self.per == "once" and limits == (None, None))


@dataclass(frozen=True, slots=True)
class Requirement:
    """One test of a circumstance or prerequisite. Rows that share a non-zero `either` count as one: any of them."""

    test: str
    ref: Ref = ""
    stat: str = ""
    switch: str = ""
    value: int = 0
    word: str = ""
    negate: bool = False
    either: int = 0


@dataclass(frozen=True, slots=True)
class Circumstance:
    """A named condition under which a row counts.

    detection: `auto` = its tests decide; `toggle` = a switch on the sheet (and its tests); `table` = decided at the
    table, so shown beside the number and not summed unless `default_on` or toggled.
    """

    slug: str
    name: str
    detection: str = "auto"
    default_on: bool = False
    tests: tuple[Requirement, ...] = ()


@dataclass(frozen=True, slots=True)
class Effect:
    """One row of mechanics. `kind` is modify, roll, grant or note; the other fields follow the kind."""

    kind: str
    owner: Ref
    text: str = ""
    from_rank: int = 0
    when: str = ""  # circumstance slug
    this_item_only: bool = False
    amount: Amount = Amount()
    stack_group: str = ""
    # modify
    stat: str = ""
    op: str = ""  # base, add, multiply, at_least, at_most, set
    # roll
    roll: str = ""  # check, save, attack, damage, initiative, against
    aspect: str = ""
    ability: Ref = ""
    subject: Ref = ""
    # grant
    element: Ref = ""
    grant_as: str = ""
    quantity: int = 1


@dataclass(frozen=True, slots=True)
class Choice:
    """A question the rules ask. `key` is `"<owner slug>.<slug>"`.

    options are listed in full, in reading order, once bundles are merged: the rows of the choice, and what its filter
    finds in every layer (kind, group, parent = the owner), published elements only.
    """

    key: str
    owner: Ref
    slug: str
    prompt: str
    mode: str = "pick"  # pick, spread
    count: int = 1  # options to pick, or points to spread
    count_of: str = ""  # a stat added to count
    per_option_max: int = 1
    grant_as: str = "gain"
    from_rank: int = 0
    every: int = 0  # again at from_rank + every, + 2 * every ...
    filter_kind: str = ""
    filter_group: Ref = ""
    filter_parent: bool = False  # only elements whose parent is the owner
    options: tuple[Ref, ...] = ()
    stats: tuple[str, ...] = ()  # options that are statistics (spread)
    replaceable: bool = False
    distinct: str = "on_character"  # in_choice, on_character
    budget: str = ""  # choices of one owner that share one pick
    ceiling: str = ""  # a stat no target may pass by this choice
    write_in: bool = False
    for_duplicates: bool = False  # asks once for every fixed grant of filter_kind that came twice (ruling 22)
    when: str = ""


@dataclass(frozen=True, slots=True)
class Resource:
    slug: str
    name: str
    owner: Ref
    max_stat: str
    style: str = "uses"  # uses, pool, dice, track
    die: int = 0
    counts_up: bool = False


@dataclass(frozen=True, slots=True)
class Recovery:
    owner: Ref
    resource: str
    event: str
    full: bool = False
    amount: Amount = Amount()
    when: str = ""


@dataclass(frozen=True, slots=True)
class Action:
    owner: Ref
    slug: str
    name: str
    timing: str
    timing_sort: int = 0
    trigger: str = ""
    range: str = ""
    text: str = ""
    from_rank: int = 0
    resource: str = ""
    uses: int = 1
    roll: str = ""  # "", attack, check, heal, damage
    dice: int = 0
    die: int = 6
    amount: Amount = Amount()
    fires: str = ""  # rest event


@dataclass(frozen=True, slots=True)
class PropertyUse:
    """A property printed on an item, with its numbers: thrown (30/60) has a=30, b=60; reach (5) has a=5."""

    property: Ref
    a: int | None = None
    b: int | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Weapon:
    category: Ref  # proficiency group, e.g. simple weapons
    ranged: bool
    dice: int
    die: int
    damage_type: Ref
    hands: int


@dataclass(frozen=True, slots=True)
class Armor:
    category: Ref
    base_defense: int  # 0 for a shield, which adds by its own rows
    adds_ability: Ref
    ability_cap: int | None
    hands: int  # hands taken while worn: 1 for a shield


@dataclass(frozen=True, slots=True)
class Ability:
    rank_stat: str
    modifier_stat: str
    short: str


@dataclass(frozen=True, slots=True)
class Job:
    max_rank: int
    limit_break: bool


@dataclass(frozen=True, slots=True)
class Condition:
    stackable: bool
    max_stacks: int
    resource: str = ""  # the track whose spent count is the number of stacks (wounds)


@dataclass(frozen=True, slots=True)
class Element:
    ref: Ref
    kind: str
    slug: str
    name: str
    source: str  # source slug
    status: str = "published"
    sort: int = 0
    summary: str = ""
    parent: Ref = ""
    groups: tuple[Ref, ...] = ()
    repeatable: bool = False
    cost_class: int = 0  # of gear; 0 = not for sale
    key_ability: Ref = ""  # of a skill: its usual ability
    effects: tuple[Effect, ...] = ()
    choices: tuple[Choice, ...] = ()
    prerequisites: tuple[Requirement, ...] = ()
    resources: tuple[Resource, ...] = ()
    recoveries: tuple[Recovery, ...] = ()
    actions: tuple[Action, ...] = ()
    properties: tuple[PropertyUse, ...] = ()
    ability: Ability | None = None
    job: Job | None = None
    weapon: Weapon | None = None
    armor: Armor | None = None
    condition: Condition | None = None


@dataclass(frozen=True, slots=True)
class Stat:
    key: str
    name: str
    short_name: str = ""
    group: str = ""
    sort: int = 0
    format: str = "number"  # number, signed, feet, flag, dice, die_step
    minimum: int | None = None
    maximum: int | None = None
    is_input: bool = False
    visible: bool = True
    switch: str = ""  # reads this numeric switch
    spent_of: str = ""  # reads how much of this resource is spent
    created_of: str = ""  # another stat as it stood at creation (ruling 39)
    bare: bool = field(init=False, default=False)  # 0 until some row touches it

    def __post_init__(self) -> None:
        limits = (self.minimum, self.maximum)
        read = self.is_input or self.switch or self.spent_of or self.created_of
        object.__setattr__(self, "bare", not read and limits == (None, None))


@dataclass(frozen=True, slots=True)
class Switch:
    key: str
    name: str
    type: str  # number, choice, flag, list
    default: str
    allowed: tuple[str, ...] = ()
    minimum: int | None = None
    maximum: int | None = None
    help: str = ""


@dataclass(frozen=True, slots=True)
class RestEvent:
    slug: str
    name: str
    sort: int = 0
    includes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Suggestion:
    background: Ref
    aspect: str  # trait, ideal, bond, flaw
    number: int
    text: str
    tag: str = ""


@dataclass(frozen=True)
class Bundle:
    """All content a character may touch. Elements of retired status stay resolvable; drafts are left out."""

    ruleset: str
    system: str
    revision: tuple[tuple[str, int], ...]  # (source slug, revision)
    elements: Mapping[Ref, Element] = field(default_factory=dict)
    stats: Mapping[str, Stat] = field(default_factory=dict)
    circumstances: Mapping[str, Circumstance] = field(default_factory=dict)
    switches: Mapping[str, Switch] = field(default_factory=dict)
    events: Mapping[str, RestEvent] = field(default_factory=dict)
    lookups: Mapping[str, Mapping[int, int]] = field(default_factory=dict)
    lookup_labels: Mapping[str, Mapping[int, str]] = field(default_factory=dict)
    suggestions: tuple[Suggestion, ...] = ()

    def of_kind(self, kind: str) -> tuple[Element, ...]:
        """Every element of `kind` in reading order (sort, then name)."""
        return self.by_kind.get(kind, ())

    @cached_property
    def by_kind(self) -> dict[str, tuple[Element, ...]]:
        kinds: dict[str, list[Element]] = {}
        for element in self.elements.values():
            kinds.setdefault(element.kind, []).append(element)
        return {k: tuple(sorted(v, key=lambda e: (e.sort, e.name, e.ref))) for k, v in kinds.items()}

    @cached_property
    def choices(self) -> dict[str, Choice]:
        """Every choice by its key."""
        return {choice.key: choice for element in self.elements.values() for choice in element.choices}

    @cached_property
    def choice_order(self) -> dict[str, int]:
        """Where each choice stands in reading order."""
        return {key: at for at, key in enumerate(self.choices)}

    @cached_property
    def resources(self) -> dict[str, Resource]:
        """Every resource by its slug."""
        return {resource.slug: resource for element in self.elements.values() for resource in element.resources}

    @cached_property
    def memo(self) -> dict[Any, Any]:
        """What the engine worked out from content alone and need not work out again."""
        return {}

    @cached_property
    def grants(self) -> dict[Ref, tuple[Effect, ...]]:
        """What each element grants."""
        found = {ref: tuple(e for e in element.effects if e.kind == "grant") for ref, element in self.elements.items()}
        return {ref: effects for ref, effects in found.items() if effects}

    @cached_property
    def always(self) -> tuple[Ref, ...]:
        """What every character has: the topics of the rules that hold mechanics and not only text."""
        return tuple(
            e.ref for e in self.of_kind("rules") if e.effects or e.choices or e.resources or e.recoveries or e.actions
        )

    @cached_property
    def owning(self) -> frozenset[Ref]:
        """The elements that bring resources."""
        return frozenset(resource.owner for resource in self.resources.values())

    @cached_property
    def asks_numbers(self) -> frozenset[Ref]:
        """The elements with a prerequisite about a statistic."""
        return frozenset(ref for ref, e in self.elements.items() if any(test.stat for test in e.prerequisites))

    @cached_property
    def replacing(self) -> frozenset[Ref]:
        """The elements that ask for another when a proficiency came twice (ruling 22)."""
        return frozenset(choice.owner for choice in self.choices.values() if choice.for_duplicates)

    @cached_property
    def situations(self) -> dict[Ref, frozenset[str]]:
        """For each element, the circumstances of its numbers that are switched on the sheet or decided at the table."""
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
    def brought(self) -> dict[str, tuple[str, ...]]:
        """For each rest event, shortest first, what brings what it brings: itself and the events that include it."""
        in_order = sorted(self.events.values(), key=lambda event: (event.sort, event.slug))
        return {
            slug: tuple(event.slug for event in in_order if event.slug == slug or slug in event.includes)
            for slug in (event.slug for event in in_order)
        }

    @cached_property
    def tracked(self) -> dict[Ref, Condition]:
        """The conditions whose stacks follow a resource."""
        conditions = ((element.ref, element.condition) for element in self.of_kind("condition"))
        return {ref: condition for ref, condition in conditions if condition and condition.resource}

    @cached_property
    def armor_categories(self) -> frozenset[Ref]:
        return frozenset(element.armor.category for element in self.of_kind("armor") if element.armor)

    @cached_property
    def defaults(self) -> dict[str, str]:
        """Every house rule at its default."""
        return {key: switch.default for key, switch in self.switches.items()}

    @cached_property
    def scenes(self) -> dict[str, frozenset[str]]:
        """For each circumstance, what it asks of the single roll or owner: `trained`, `grip`, `first_job`."""
        asks = {"roll_trained": "trained", "wields": "grip", "first_job": "first_job"}
        return {
            slug: frozenset(asks[test.test] for test in circumstance.tests if test.test in asks)
            for slug, circumstance in self.circumstances.items()
        }

    @cached_property
    def by_slug(self) -> dict[str, tuple[Element, ...]]:
        """Elements by slug alone, all kinds: what a file or an address names."""
        slugs: dict[str, list[Element]] = {}
        for element in self.elements.values():
            slugs.setdefault(element.slug, []).append(element)
        return {slug: tuple(found) for slug, found in slugs.items()}

    def with_elements(self, extra: Iterable[Element]) -> "Bundle":
        """A copy with these elements added or replaced; for previews and tests."""
        return replace(self, elements={**self.elements, **{element.ref: element for element in extra}})


def merge(bundles: Iterable[Bundle]) -> Bundle:
    """One bundle over several, in order: later ones add to or replace earlier ones. Raises ValueError when empty.

    Lists the options of every choice, so that content of a later layer is offered by the choices of an earlier one.
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
        system=layers[0].system,
        revision=tuple(pair for layer in layers for pair in layer.revision),
        elements=all_of("elements"),
        stats=all_of("stats"),
        circumstances=all_of("circumstances"),
        switches=all_of("switches"),
        events=all_of("events"),
        lookups=all_of("lookups"),
        lookup_labels=all_of("lookup_labels"),
        suggestions=tuple(row for layer in layers for row in layer.suggestions),
    )
    return merged.with_elements(_with_options(merged))


def _with_options(bundle: Bundle) -> list[Element]:
    """The elements that own choices, with their options listed."""
    return [
        replace(
            owner, choices=tuple(replace(choice, options=_offered(bundle, owner, choice)) for choice in owner.choices)
        )
        for owner in bundle.elements.values()
        if owner.choices
    ]


def _offered(bundle: Bundle, owner: Element, choice: Choice) -> tuple[Ref, ...]:
    named = [ref for ref in choice.options if ref in bundle.elements and bundle.elements[ref].status == "published"]
    if not (choice.filter_kind or choice.filter_group or choice.filter_parent):
        return tuple(named)
    if choice.filter_kind:
        candidates: Iterable[Element] = bundle.of_kind(choice.filter_kind)
    else:
        candidates = (element for kind in bundle.by_kind for element in bundle.of_kind(kind))
    found = [
        element.ref
        for element in candidates
        if element.status == "published"
        and (not choice.filter_group or choice.filter_group in element.groups)
        and (not choice.filter_parent or element.parent == owner.ref)
    ]
    return tuple(dict.fromkeys([*named, *found]))
