"""The content of each part of the sheet.

Every figure comes from the Sheet. This module only picks, groups and names them.
"""

from dataclasses import dataclass
from typing import NamedTuple

from rules.engine.build import Build, Spell
from rules.engine.bundle import Bundle
from rules.engine.content import Ability, Element, Ref
from rules.engine.sheet import Attack, ResourceLine, Roll, Sheet, make
from rules.games.sections import ProficiencyGroup, back_after, named_groups, properties

from .rolls import BASE_POOL
from .situations import situations
from .spells import DIFFICULTY, has_magic, strike_of, test_of

PROFICIENCY_GROUPS = (("armor", "Armor"), ("weapons", "Weapons"), ("tools", "Tools"), ("languages", "Languages"))
# Resources with a place of their own among the vital numbers.
VITAL_RESOURCES = {"health", "wounds", "stamina", "resolve", "resources-lowered"}
# Statistics with a place of their own on the page; the others are listed under "More numbers".
SHOWN = {
    "level", "skill-bonus", "health.max", "stamina.max", "resolve.max", "wounds.max", "wound-threshold", "defense",
    "speed", "resources.rank", "resources.lowered", "resources.lifestyle", "attacks",
}  # fmt: skip


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


# Cells of tables. Each new condition rebuilds all of them, and tuples are faster to make than frozen dataclasses.
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
    """A spell with the caster's numbers. attack: its attack roll and damage. difficulty: of the save against it."""

    spell: Spell
    attack: Attack
    test: str
    difficulty: int


def vitals(bundle: Bundle, build: Build, sheet: Sheet) -> Vitals:
    lowered = sheet.resources.get("resources-lowered")
    return Vitals(
        health=sheet.resources.get("health"),
        stamina=sheet.resources.get("stamina"),
        resolve=sheet.resources.get("resolve"),
        wounds=sheet.resources.get("wounds"),
        threshold=sheet.value("wound-threshold"),
        defense=sheet.value("defense"),
        speed=sheet.value("speed"),
        cannot_move=bool(sheet.value("blocked.movement")),
        attacks=sheet.value("attacks"),
        skill_bonus=sheet.value("skill-bonus"),
        resources=sheet.value("resources.rank"),
        resources_lowered=sheet.value("resources.lowered"),
        lowered=lowered,
        lowered_back=back_after(bundle, lowered) if lowered else "",
        lifestyle=bundle.lookup_labels.get("lifestyle", {}).get(sheet.value("resources.lifestyle"), ""),
    )


def attackers(bundle: Bundle, build: Build, sheet: Sheet) -> int:
    """The number of extra dice that attackers of this character roll; negative for fewer."""
    against = sheet.rolls.get("against")
    return against.dice - BASE_POOL if against else 0


def alike(kind: str, bundle: Bundle, build: Build, sheet: Sheet) -> tuple[str, ...]:
    """The situations that all rolls of a kind share."""
    rolls = [roll.situations for key, roll in sheet.rolls.items() if key.startswith(f"{kind}.")]
    return tuple(text for text in rolls[0] if all(text in others for others in rolls)) if rolls else ()


def abilities(bundle: Bundle, build: Build, sheet: Sheet) -> tuple[AbilityCell, ...]:
    rolls = sheet.rolls

    def cell(element: Element, ability: Ability) -> AbilityCell:
        return AbilityCell(
            element.ref,
            element.name,
            ability.rank_stat,
            sheet.value(ability.rank_stat),
            ability.modifier_stat,
            sheet.value(ability.modifier_stat),
            rolls.get(f"check.{element.slug}"),
            rolls.get(f"save.{element.slug}"),
        )

    return tuple(cell(element, ability) for element, ability in bundle.abilities)


def checks(kind: str, bundle: Bundle, build: Build, sheet: Sheet) -> tuple[CheckRow, ...]:
    rolls = [sheet.rolls[f"{kind}.{element.slug}"] for element in bundle.of_kind(kind)]
    return tuple([make(CheckRow, (roll, bundle.called(roll.ability))) for roll in rolls])


def attacks(bundle: Bundle, build: Build, sheet: Sheet) -> tuple[AttackRow, ...]:
    def row(attack: Attack) -> AttackRow:
        weapon = bundle.elements.get(attack.ref)
        roll, damage = attack.roll, attack.because[len(attack.roll.because) :]
        damage_ref = f"damage-type:{attack.type}"
        far = f"{attack.range[0]}/{attack.range[1]} ft" if attack.range else f"reach {attack.reach} ft"
        return AttackRow(
            attack=attack,
            type=bundle.called(damage_ref).lower(),
            damage_ref=damage_ref,
            distance=far,
            properties=properties(bundle, weapon),
            situations=tuple(dict.fromkeys((*roll.situations, *situations(damage), *attack.notes))),
        )

    return tuple(row(attack) for attack in sorted(sheet.attacks, key=lambda attack: attack.grip == "unarmed"))


def spells(bundle: Bundle, build: Build, sheet: Sheet) -> tuple[SpellRow, ...]:
    """The noted spells. Under house rules without magic they stay stored but are not shown."""
    if not has_magic(bundle, build):
        return ()
    difficulty = sheet.value(DIFFICULTY)
    return tuple(
        SpellRow(spell, strike_of(sheet, spell), test_of(bundle, spell), difficulty if spell.saving_throw else 0)
        for spell in build.spells
    )


def proficiencies(bundle: Bundle, build: Build, sheet: Sheet) -> tuple[ProficiencyGroup, ...]:
    return named_groups(sheet.proficiencies, PROFICIENCY_GROUPS)
