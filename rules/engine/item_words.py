"""The numbers of weapons and armor in words, and their printed properties. `names` as in `sentence.py`."""

from .content import Armor, PropertyUse, Weapon
from .phrases import Lookup, name_of


def property_phrase(use: PropertyUse, names: Lookup) -> str:
    """A printed property: "Thrown (30/60)", "Ammunition (arrows)"."""
    name, details = name_of(names.elements, use.property), use.details()
    return f"{name} ({details})" if details else name


def weapon_sentence(weapon: Weapon, names: Lookup) -> str:
    """A weapon's columns in words: "2d6 slashing, in two hands"."""
    damage_type = name_of(names.elements, weapon.damage_type).lower()
    return f"{weapon_damage(weapon)} {damage_type}, in {('no hand', 'one hand', 'two hands')[weapon.hands]}"


def weapon_damage(weapon: Weapon) -> str:
    return f"{weapon.dice}d{weapon.die}"


def armor_sentence(armor: Armor, names: Lookup) -> str:
    """Armor's columns in words: "Defense 14 + Agility, at most 2"; "" for a shield, which has rows for that."""
    return f"Defense {armor_defense(armor, names)}" if armor.base_defense else ""


def armor_defense(armor: Armor, names: Lookup) -> str:
    """The Defense that armor gives: "14 + Agility, at most 2"."""
    if not armor.base_defense:
        return "as its effects say"
    words = str(armor.base_defense)
    if armor.adds_ability and armor.ability_cap != 0:
        words += f" + {name_of(names.elements, armor.adds_ability)}"
        words += f", at most {armor.ability_cap}" if armor.ability_cap is not None else ""
    return words
