"""The result of `derive`: every number of a character, with the rows that made it and those that did not apply."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from .content import Action, Choice, Ref, Requirement
from .phrases import dice_words, number, signed

if TYPE_CHECKING:
    from .solve import Solver

# A NamedTuple's own constructor is a Python function and takes twice as long as this. Each derive makes hundreds of
# them, so the busiest places call `make(Step, (...))`, with every field in its place.
make = tuple.__new__


class Step(NamedTuple):
    """One row that changed a number, or would have.

    amount: if applied, the change of the total (so the applied amounts add up to the value), otherwise the amount it
    would have added. part: `""` for a value, `dice` or `modifier` for a roll, `damage` for an attack's damage. path:
    how the character has the row, outermost first ("Fighter", "Martial Path", "Champion"). ref: its element.
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
    """A check, save, knowledge, initiative or attack, ready to roll: its final dice and modifier."""

    key: str
    name: str
    ability: Ref = ""
    subject: Ref = ""
    dice: int = 3
    modifier: int = 0
    proficient: bool | None = None  # None: proficiency does not apply (ruling 7)
    passive: int = 0
    fails: bool = False  # fails without rolling
    criticals_on: int = 6
    criticals_from_pool: int = 3
    because: tuple[Step, ...] = ()
    situations: tuple[str, ...] = ()  # bonuses of the character that may apply: "advantage to hear (Keen Senses)"
    succeeds: bool = False  # succeeds without rolling
    words: str = ""  # in the game's own notation; "" if dice and modifier say it, `3D+4`

    @property
    def certain(self) -> str:
        """The result, in a word, of a roll that is certain; "" if the dice decide."""
        return "fails" if self.fails else "succeeds" if self.succeeds else ""


class Attack(NamedTuple):
    """An attack with one weapon in one grip: one-hand, two-hands, off-hand, thrown, or unarmed.

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
    minimum: int = 0  # the least damage
    attacks: int = 1  # attacks per Attack action with this weapon
    because: tuple[Step, ...] = ()
    notes: tuple[str, ...] = ()
    item_key: str = ""

    @property
    def thing(self) -> str:
        """The item used: the id of the character's item or, without one, the weapon's slug."""
        return self.item_key or self.item


class Active(NamedTuple):
    """An element that the character has, with the rank it counts at and its path."""

    ref: Ref
    rank: int
    path: tuple[str, ...]  # names, outermost first
    level: int = 1  # the level it was gained at


class Proficiency(NamedTuple):
    """Something that the character is proficient in, knows, resists or is immune to, with its path."""

    ref: Ref  # skill, knowledge, tool, weapon, category, ability (saving throw), language
    name: str
    path: tuple[str, ...]
    write_in: bool = False


class ResourceLine(NamedTuple):
    """A resource of this character. left: never below 0, even if more is spent than the maximum."""

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
    in_part: bool = False  # the first of these events brings back only a part


class ActionLine(NamedTuple):
    """An action of this character, with the dice and the modifier that it rolls."""

    action: Action
    path: tuple[str, ...]
    dice: int
    modifier: int
    because: tuple[Step, ...] = ()

    @property
    def rolls_freely(self) -> bool:
        """True for an action whose roll spends nothing. One with uses is rolled from its line of uses."""
        action = self.action
        return bool(action.roll) and not (action.resource or action.changes or action.fires or action.begins)

    @property
    def in_words(self) -> str:
        """The dice of an action or, without dice, its number."""
        dice = dice_words(self.dice, self.action.die) + signed(self.modifier)
        return dice if self.dice else number(self.modifier)


@dataclass(frozen=True, slots=True)
class Option:
    """One thing a choice offers, and whether it can be taken now."""

    ref: Ref = ""
    stat: str = ""
    name: str = ""
    taken: bool = False
    why_not: str = ""  # a sentence if it cannot be taken
    lacking: tuple[tuple[Requirement, ...], ...] = ()  # unmet requirements: groups, any one test of which would do
    room: int = 0  # for a statistic: the points it can still take

    @property
    def target(self) -> str:
        """The name of the option in an answer: its ref, or its statistic's key."""
        return self.ref or self.stat


class ChoiceLine(NamedTuple):
    """A choice that this character faces: the number of answers needed, and those made.

    level: the level at which it is asked (1 = creation). chosen: the decisions that fill it, in order. notes: the names
    of those that do not count, because the character has the thing from elsewhere.
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
    """Something that does not fit. where: a path in the character file (`levels[3]`, `choices.<key>[0]`)."""

    where: str
    text: str


@dataclass(frozen=True, slots=True)
class Picks:
    """The number of earned levels that buy something, and the number taken. too_early: taken but not earned yet."""

    earned: int
    taken: int
    too_early: int = 0

    @property
    def open(self) -> int:
        return max(0, self.earned - (self.taken - self.too_early))


@dataclass(frozen=True, slots=True)
class Counters:
    """The part of a sheet that changes with rests and time."""

    resources: dict[str, ResourceLine]
    conditions: dict[Ref, int]


@dataclass(frozen=True)
class Sheet:
    """Everything derived for one character. None of it is ever stored."""

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
    conditions: dict[Ref, int] = field(default_factory=dict)  # in force, including implied ones -> stacks
    choices: tuple[ChoiceLine, ...] = ()
    situations: tuple[str, ...] = ()  # slugs of circumstances to switch that matter to this character
    notes: dict[str, tuple[Step, ...]] = field(default_factory=dict)  # by stat key, roll key or ""
    problems: tuple[Problem, ...] = ()
    solver: "Solver" = field(kw_only=True, repr=False, compare=False)  # made the sheet, and answers later questions

    def value(self, key: str) -> int:
        """The derived value of `key`; 0 if the rules have no such statistic."""
        return self.values[key].value if key in self.values else 0
