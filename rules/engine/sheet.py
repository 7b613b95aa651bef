"""The result of `derive`: every number of a character with the rows that made it and those that did not apply."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from .content import Action, Choice, Ref, Requirement
from .phrases import dice_words, number, signed

if TYPE_CHECKING:
    from .solve import Solver

# A NamedTuple's own constructor is a Python function and takes twice as long. Every derive makes hundreds of them, so
# the busiest places make them as plain tuples: `make(Step, (...))`, with every field in its place.
make = tuple.__new__


class Step(NamedTuple):
    """One row that touched a number.

    amount: if applied, the distance that it moved the total (so the applied amounts add up to the value), else the
    amount it would have added. part: `""` for a value, `dice` or `modifier` for a roll, and `damage` for an attack's
    damage. path: how the row reached the character, outermost first ("Fighter", "Martial Path", "Champion"). ref: its
    element.
    """

    source: str
    text: str
    amount: int
    applied: bool = True
    why: str = ""
    part: str = ""
    op: str = ""
    path: tuple[str, ...] = ()
    ref: Ref = ""


class Value(NamedTuple):
    """A solved statistic: the amounts of the applied rows add up to it."""

    key: str
    value: int
    because: tuple[Step, ...] = ()


class Roll(NamedTuple):
    """A check, save, knowledge, initiative or attack, ready to roll: dice and modifier after everything."""

    key: str
    name: str
    ability: Ref = ""
    subject: Ref = ""
    dice: int = 3
    modifier: int = 0
    proficient: bool | None = None  # None: no proficiency can apply (ruling 7)
    passive: int = 0
    fails: bool = False  # fails without rolling
    criticals_on: int = 6
    criticals_from_pool: int = 3
    because: tuple[Step, ...] = ()
    situations: tuple[str, ...] = ()  # the character's own bonuses that may apply: "advantage to hear (Keen Senses)"
    succeeds: bool = False  # succeeds without rolling
    words: str = ""  # how its game writes it; "" for dice and modifier, `3D+4`

    @property
    def certain(self) -> str:
        """The result of a roll that needs no dice, in a word; "" if the dice decide."""
        return "fails" if self.fails else "succeeds" if self.succeeds else ""


class Attack(NamedTuple):
    """One weapon in one grip. grip: one-hand, two-hands, off-hand, thrown, or unarmed.

    because: the rows of its roll, and then those of its damage.
    """

    item: str  # slug
    ref: Ref
    name: str
    grip: str
    roll: Roll
    damage_dice: int
    damage_die: int
    damage_modifier: int
    damage: str  # "1d8+4"
    type: str  # damage type slug
    reach: int = 5
    range: tuple[int, int] | None = None
    minimum: int = 0  # damage is never less
    attacks: int = 1  # with this weapon, per Attack action
    because: tuple[Step, ...] = ()
    notes: tuple[str, ...] = ()
    item_key: str = ""

    @property
    def thing(self) -> str:
        """The item used: the id of the character's item or, without one, the weapon's slug."""
        return self.item_key or self.item


class Active(NamedTuple):
    """An element the character has: the rank it counts at and how it was reached."""

    ref: Ref
    rank: int
    path: tuple[str, ...]  # names, outermost first
    level: int = 1  # the level at which it was gained


class Proficiency(NamedTuple):
    """Something that the character is proficient in or knows, resists or is immune to, and how that was reached."""

    ref: Ref  # skill, knowledge, tool, weapon, category, ability (saving throw), language
    name: str
    path: tuple[str, ...]
    write_in: bool = False


class ResourceLine(NamedTuple):
    """A resource of this character. left: never below 0, also if more is spent than there is."""

    slug: str
    name: str
    ref: Ref  # owner
    max: int
    left: int
    spent: int
    style: str
    die: int
    counts_up: bool
    recovers: tuple[str, ...]  # rest event slugs, shortest first
    in_part: bool = False  # the first of them brings back only a part


class ActionLine(NamedTuple):
    """An action of this character, with the dice and the modifier that it rolls."""

    action: Action
    path: tuple[str, ...]
    dice: int
    modifier: int
    because: tuple[Step, ...] = ()

    @property
    def rolls_freely(self) -> bool:
        """True for an action whose roll spends nothing; one with uses is rolled beside them."""
        action = self.action
        return bool(action.roll) and not (action.resource or action.changes or action.fires or action.begins)

    @property
    def in_words(self) -> str:
        """The dice of an action, or the number that it has without dice."""
        dice = dice_words(self.dice, self.action.die) + signed(self.modifier)
        return dice if self.dice else number(self.modifier)


@dataclass(frozen=True, slots=True)
class Option:
    """One thing a choice offers, and whether it can be taken now."""

    ref: Ref = ""
    stat: str = ""
    name: str = ""
    taken: bool = False
    why_not: str = ""  # a sentence when it cannot be taken
    lacking: tuple[tuple[Requirement, ...], ...] = ()  # unmet requirements, each a group of which one would do
    room: int = 0  # for a statistic: the points that it can still take

    @property
    def target(self) -> str:
        """The word by which an answer names it: its ref, or its statistic's key."""
        return self.ref or self.stat


class ChoiceLine(NamedTuple):
    """A choice that this character faces: what is needed, chosen and offered.

    level: the level at which it is asked (1 = creation). chosen: the decisions that fill it, in order. notes: the names
    of those among them that do not count, because the character has the thing from elsewhere.
    """

    choice: Choice
    path: tuple[str, ...]
    needs: int  # picks or points in all
    made: int  # picks or points that count
    level: int = 1
    chosen: tuple[str, ...] = ()  # refs, stat keys or the player's own words
    notes: tuple[str, ...] = ()

    @property
    def open(self) -> int:
        return max(0, self.needs - self.made)


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that does not fit. where: a path as in the character file (`levels[3]`, `choices.<key>[0]`)."""

    where: str
    text: str


@dataclass(frozen=True, slots=True)
class Picks:
    """The number of levels earned that buy something, and the number taken. too_early: taken, but not earned yet."""

    earned: int
    taken: int
    too_early: int = 0

    @property
    def open(self) -> int:
        return max(0, self.earned - (self.taken - self.too_early))


@dataclass(frozen=True, slots=True)
class Counters:
    """The part of a Sheet that changes with rests and time."""

    resources: dict[str, ResourceLine]
    conditions: dict[Ref, int]


@dataclass(frozen=True)
class Sheet:
    """Everything derived of one character. Nothing in it is ever stored."""

    name: str
    level: int
    picks: Picks
    values: dict[str, Value] = field(default_factory=dict)
    rolls: dict[str, Roll] = field(default_factory=dict)
    attacks: tuple[Attack, ...] = ()
    active: dict[Ref, Active] = field(default_factory=dict)
    proficiencies: dict[str, tuple[Proficiency, ...]] = field(default_factory=dict)  # skills, knowledges ... saves
    defenses: dict[str, tuple[Proficiency, ...]] = field(default_factory=dict)  # resist, immune, vulnerable
    belongings: tuple[tuple[Ref, int, tuple[str, ...]], ...] = ()  # granted gear: ref, quantity, path
    resources: dict[str, ResourceLine] = field(default_factory=dict)
    actions: tuple[ActionLine, ...] = ()
    conditions: dict[Ref, int] = field(default_factory=dict)  # in force, implied ones included -> stacks
    choices: tuple[ChoiceLine, ...] = ()
    situations: tuple[str, ...] = ()  # slugs of circumstances whose switch matters to this character
    notes: dict[str, tuple[Step, ...]] = field(default_factory=dict)  # anchored to a stat key, roll key or ""
    problems: tuple[Problem, ...] = ()
    solver: "Solver" = field(kw_only=True, repr=False, compare=False)  # it made the sheet, and answers later questions

    def value(self, key: str) -> int:
        """The derived value of `key`, 0 when this ruleset has no such statistic."""
        return self.values[key].value if key in self.values else 0
