"""The rows of content as plain, immutable data, one class for each kind of row.

An element is named by its *ref*, `"kind:slug"` (`"skill:athletics"`), a choice by `"<owner slug>.<choice slug>"`
(`"fighter.fighting-style"`), a statistic by its key (`"rank.strength"`), a circumstance, resource, rest event,
lookup table and switch by its slug or key.
"""

import re
from dataclasses import dataclass, field

type Ref = str

# The end of a slug made for homebrew (`rules.homebrew.named`): the digest of its form, and the tag of its source.
HOMEBREW_END = re.compile("(-[0-9a-f]{8})?-[b-df-hjkmnp-tvwxz2-9]{6}$")


def called(key: str) -> str:
    """A name for something that is not in the rules in play: `talent:strong-arm` is “Strong arm”."""
    return HOMEBREW_END.sub("", re.split("[:.]", key)[-1]).replace("-", " ").capitalize()


@dataclass(frozen=True, slots=True)
class Amount:
    """A typed amount: `clamp(flat + times * of_stat / divided_by) * per`.

    The division rounds down unless `round_up`. The clamp comes before `per`, so "8 + modifier, at least 1, at each
    rank" is one row (ruling 15). `per` is once, rank, level, stack or property_a.
    """

    flat: int = 0
    of_stat: str = ""
    times: int = 1
    divided_by: int = 1
    round_up: bool = False
    per: str = "once"
    at_least: int | None = None
    at_most: int | None = None
    plain: bool = field(init=False, default=False)  # a bare number: counted once, no statistic, no limits

    def __post_init__(self) -> None:
        limits = (self.at_least, self.at_most)
        object.__setattr__(self, "plain", not self.of_stat and self.per == "once" and limits == (None, None))


GROWING = {"level", "rank", "has", "skilled", "stat_min", "stat_max"}


@dataclass(frozen=True, slots=True)
class Requirement:
    """One test of a circumstance or prerequisite. Of rows that share a non-zero `either`, one has to hold."""

    test: str
    ref: Ref = ""
    stat: str = ""
    switch: str = ""
    value: int = 0
    word: str = ""
    negate: bool = False
    either: int = 0

    @property
    def grows(self) -> bool:
        """True for a test of something that grows with levels. Other tests have the same result at every level."""
        return self.test in GROWING


def clause(circumstance: str) -> str:
    """The name of a circumstance as it follows what it limits: "to see or hear", "when the check needs sight"."""
    return f"when {circumstance}" if circumstance.startswith("the ") else circumstance


@dataclass(frozen=True, slots=True)
class Circumstance:
    """A named condition under which a row counts.

    detection: `auto` = its tests decide; `toggle` = a switch on the sheet decides, and its tests; `table` = the table
    decides: the row is shown beside the number, and added only if `default_on` or switched on. group: of the
    circumstances with the same word, only one can be switched on; "" is no group.
    """

    slug: str
    name: str
    detection: str = "auto"
    default_on: bool = False
    group: str = ""
    tests: tuple[Requirement, ...] = ()
    unmet: str = field(init=False, default="")  # reasons why a row does not count: its tests fail;
    in_vain: str = field(init=False, default="")  # they fail, and switching it on would not help;
    aside: str = field(init=False, default="")  # or it is not switched on

    def __post_init__(self) -> None:
        exception = self.name.startswith("unless")
        object.__setattr__(self, "unmet", self.name if exception else f"only {clause(self.name)}")
        object.__setattr__(self, "in_vain", self.name if exception else f"no effect here, even {clause(self.name)}")
        object.__setattr__(self, "aside", f"when: {self.name}")


@dataclass(frozen=True, slots=True)
class Effect:
    """One row of mechanics. `kind` is modify, roll, grant or note, and decides which other fields are used."""

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

    options: its own rows, and the published elements that its filter (kind, group, parent = the owner) finds in every
    layer; in reading order, and complete once bundles are merged. retired: offered only to characters who have one and
    may take it again.
    """

    key: str
    owner: Ref
    slug: str
    prompt: str
    mode: str = "pick"  # pick, spread
    count: int = 1  # options to pick, or points to spread
    count_of: str = ""  # a stat that is added to `count`
    per_option_max: int = 1
    grant_as: str = "gain"
    from_rank: int = 0
    every: int = 0  # asked again at from_rank + every, + 2 * every ...
    filter_kind: str = ""
    filter_group: Ref = ""
    filter_parent: bool = False  # only elements whose parent is the owner
    options: tuple[Ref, ...] = ()
    retired: tuple[Ref, ...] = ()
    stats: tuple[str, ...] = ()  # options that are statistics (spread)
    replaceable: bool = False
    distinct: str = "on_character"  # in_choice, on_character
    budget: str = ""  # choices of one owner with the same word share one pick
    ceiling: str = ""  # a stat that is the most this choice may raise a target to
    write_in: bool = False
    for_duplicates: bool = False  # asked once for each duplicate grant of `filter_kind` (ruling 22)
    when: str = ""

    @property
    def repeats(self) -> bool:
        """True if an option that the character has may be taken again."""
        return self.grant_as == "rank" or self.distinct == "free"


@dataclass(frozen=True, slots=True)
class Resource:
    """Something that is spent and comes back; its maximum is the statistic `max_stat`. Pages show what is spent if it
    `counts_up`, otherwise what is left."""

    slug: str
    name: str
    owner: Ref
    max_stat: str
    style: str = "uses"  # uses, pool, dice, track; turn: a part of a turn
    die: int = 0
    counts_up: bool = False


@dataclass(frozen=True, slots=True)
class Recovery:
    """A rest event that restores a resource: all that is spent (`full`), or the amount."""

    owner: Ref
    resource: str
    event: str
    full: bool = False
    amount: Amount = Amount()
    when: str = ""


@dataclass(frozen=True, slots=True)
class Action:
    """Something that a character can do, from a rank of its owner on. It spends `uses` of the resource, rolls `dice`
    dice of `die` faces plus the amount, and may trigger a rest event, change a roll or begin a condition."""

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
    changes: str = ""  # what it does to a failed roll: "", reroll, succeed
    of_roll: str = ""  # check, save, attack
    when: str = ""  # circumstance slug
    begins: Ref = ""  # a condition


@dataclass(frozen=True, slots=True)
class PropertyUse:
    """A property printed on an item, with its numbers: thrown (30/60) has a=30, b=60; reach (5) has a=5."""

    property: Ref
    a: int | None = None
    b: int | None = None
    note: str = ""

    def numbers(self) -> tuple[int, ...]:
        return tuple(number for number in (self.a, self.b) if number is not None)

    def details(self) -> str:
        """The words in parentheses after the property: "30/60", "arrows", "6 shots"; "" if there are none."""
        return " ".join(filter(None, ("/".join(map(str, self.numbers())), self.note)))


@dataclass(frozen=True, slots=True)
class Weapon:
    """The columns that only weapons have. The damage is `dice` dice of `die` faces."""

    category: Ref  # for proficiency: e.g. simple weapons
    ranged: bool
    dice: int
    die: int
    damage_type: Ref
    hands: int


@dataclass(frozen=True, slots=True)
class Armor:
    """The columns that only armor has. Its base for the statistic that armor sets is `base_defense` plus an ability's
    modifier, of which at most `ability_cap` counts (None: all)."""

    category: Ref
    base_defense: int  # 0 for a shield, whose rows add instead
    adds_ability: Ref
    ability_cap: int | None
    hands: int  # hands it takes while worn: 1 for a shield


@dataclass(frozen=True, slots=True)
class Ability:
    """The columns that only abilities have: the statistics of the rank and the modifier, and the short name."""

    rank_stat: str
    modifier_stat: str
    short: str


@dataclass(frozen=True, slots=True)
class Job:
    """The columns that only jobs have. A limit break may raise the job past its last rank."""

    max_rank: int
    limit_break: bool


@dataclass(frozen=True, slots=True)
class Condition:
    """The columns that only conditions have: how it counts, and how it ends."""

    stackable: bool
    max_stacks: int
    resource: str = ""  # the track whose spent amount is the number of stacks
    # Its end, unless its cause names another: after this many of the bearer's turns (1: when the next one starts), or
    # with an event.
    turns: int = 0
    until: str = ""
    ends_with: str = ""  # a roll of its bearer: check, save, attack


@dataclass(frozen=True, slots=True)
class Spell:
    """A spell that can be taken over onto a sheet. attack: melee or ranged. saving_throw: an ability. It has at most
    one of the two."""

    time: str
    range: str
    cantrip: bool
    attack: str
    saving_throw: Ref
    damage: str


@dataclass(frozen=True, slots=True)
class Element:
    """One entry of the rules with all of its rows. status: published or retired; drafts are in no bundle."""

    ref: Ref
    kind: str
    slug: str
    name: str
    source: str  # source slug
    status: str = "published"
    sort: int = 0
    summary: str = ""
    text: str = ""
    page_ref: str = ""  # the section of the rules it comes from
    was: str = ""  # its former slugs, separated by spaces
    parent: Ref = ""
    groups: tuple[Ref, ...] = ()
    cost_class: int = 0  # for gear; 0 = not for sale
    key_ability: Ref = ""  # for a skill: its usual ability
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
    spell: Spell | None = None


@dataclass(frozen=True, slots=True)
class Stat:
    """A number that the rules name, never below `minimum` or above `maximum` (None: no limit)."""

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
    switch: str = ""  # takes its value from this numeric switch
    spent_of: str = ""  # is the spent amount of this resource
    created_of: str = ""  # is another stat as of creation (ruling 39)
    term: Ref = ""  # the glossary term that explains it
    bare: bool = field(init=False, default=False)  # no limits, and a value from rows alone

    def __post_init__(self) -> None:
        limits = (self.minimum, self.maximum)
        read = self.is_input or self.switch or self.spent_of or self.created_of
        object.__setattr__(self, "bare", not read and limits == (None, None))


@dataclass(frozen=True, slots=True)
class Switch:
    """A house rule. Its values are texts; minimum and maximum are the bounds of a number. status: published or
    retired."""

    key: str
    name: str
    type: str  # number, choice, flag, list
    default: str
    allowed: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()  # the words that pages show for each value
    minimum: int | None = None
    maximum: int | None = None
    help: str = ""
    group: str = ""
    sort: int = 0
    status: str = "published"


@dataclass(frozen=True, slots=True)
class RestEvent:
    """A moment that brings resources back: its own, and those of the events that it `includes`."""

    slug: str
    name: str
    sort: int = 0
    includes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A row of a background's table of aspects: `number` is the die result that picks it."""

    background: Ref
    aspect: str  # trait, ideal, bond, flaw
    number: int
    text: str
    tag: str = ""
