"""The content of a sheet's page, region by region."""

from dataclasses import dataclass
from typing import NamedTuple

from rules.engine.build import Spell
from rules.engine.content import Ref
from rules.engine.sheet import Attack, ResourceLine, Roll


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


# Cells of tables. Every condition rebuilds all of them, and tuples are faster to make than frozen dataclasses.
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
    damage_ref: Ref
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
