"""What the page of a sheet shows, region by region."""

from dataclasses import dataclass
from typing import NamedTuple

from rules.engine.build import Spell
from rules.engine.content import Ref
from rules.engine.sheet import ActionLine, Attack, ResourceLine, Roll


@dataclass(frozen=True, slots=True)
class Named:
    """An element by name, with a rank where it has one."""

    ref: Ref
    name: str
    rank: int = 0


@dataclass(frozen=True, slots=True)
class Identity:
    name: str
    level: int
    xp: int
    origins: tuple[Named, ...]
    jobs: tuple[Named, ...]
    paths: tuple[Named, ...]
    dispositions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Vitals:
    health: ResourceLine | None
    stamina: ResourceLine | None
    resolve: ResourceLine | None
    wounds: ResourceLine | None
    threshold: int
    defense: int
    speed: int
    cannot_move: bool
    attacks: int
    skill_bonus: int
    resources: int
    resources_lowered: int
    lowered: ResourceLine | None  # the same as a counter to move
    lowered_back: str  # "back after the end of an adventure"
    lifestyle: str


# What stands in tables: a condition makes all of it anew, and a tuple is made sooner than a frozen dataclass.
class AbilityCell(NamedTuple):
    ref: Ref
    name: str
    rank_key: str
    rank: int
    modifier_key: str
    modifier: int
    check: Roll | None
    save: Roll | None


class CheckRow(NamedTuple):
    roll: Roll
    ability: str


@dataclass(frozen=True, slots=True)
class AttackRow:
    attack: Attack
    type: str
    distance: str
    properties: tuple[str, ...]
    situations: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SpellRow:
    """A spell with the caster's numbers. attack: the roll of its attack and its damage; difficulty: of its save."""

    spell: Spell
    attack: Attack
    test: str
    difficulty: int


@dataclass(frozen=True, slots=True)
class UsesRow:
    key: str
    line: ResourceLine
    back: str
    on: range
    off: range


@dataclass(frozen=True, slots=True)
class ActionGroup:
    """Actions of one timing: the character's own, and those that everybody has."""

    name: str
    own: tuple[ActionLine, ...]
    common: tuple[ActionLine, ...]


@dataclass(frozen=True, slots=True)
class FeatureRow:
    ref: Ref
    name: str
    summary: str
    path: str


@dataclass(frozen=True, slots=True)
class ItemRow:
    name: str
    ref: Ref
    quantity: int
    source: str
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ConditionRow:
    ref: Ref
    name: str
    stacks: int
    summary: str
    source: str


@dataclass(frozen=True, slots=True)
class HouseRule:
    name: str
    value: str
    default: str


@dataclass(frozen=True, slots=True)
class ExceptionRow:
    """Something taken against a requirement, with the reason that was given."""

    name: str
    level: int
    reason: str
