"""Spells in a player's own words: the parts they may have, and their numbers (section 29, rulings 89 and 90)."""

import re
from collections.abc import Iterator

from rules.engine.build import Build, Spell
from rules.engine.bundle import Bundle
from rules.engine.requirements import RowContext
from rules.engine.sheet import Attack, Sheet
from rules.games.dice_text import MOST_DICE, MOST_SIDES
from rules.games.house_rules import setting
from rules.games.outcome import NotAllowed

from .attacks import ATTACK, written
from .rolls import SPELL as RANGED_SPELL
from .rolls import RollQuery, put_together

SPELL = "spell"  # in place of a weapon's grip
DIFFICULTY = "spell-save"
ATTACKS: tuple[str, ...] = ("melee", "ranged")
# Rows about melee weapons do not count for spells, which have their own word.
MELEE_SPELL = RowContext(grip=frozenset({"melee-spell"}))
# Casting times that take a part of a turn, with that part. Any other takes longer than a turn.
TIMES = {"": "action", "action": "action", "bonus action": "bonus-action", "reaction": "reaction"}
DICE = re.compile(r"(?:(\d{1,2})d(\d{1,3})(?: ?([+-]) ?(\d{1,3}))?|(\d{1,3}))(?: +(\D.*))?", re.ASCII)
DAMAGE_REFUSED = f"Write dice and their kind, such as 2d6 fire: at most {MOST_DICE} dice of {MOST_SIDES} faces."


def has_magic(bundle: Bundle, build: Build) -> bool:
    """True if the house rules let characters note spells down (ruling 89)."""
    return setting(bundle, build, "magic") == "custom"


def unfit_parts(bundle: Bundle, spell: Spell) -> Iterator[tuple[str, str]]:
    """The parts of a spell that the rules do not allow: the field, and a sentence."""
    if spell.attack and spell.saving_throw:
        yield "saving_throw", "A spell has an attack or a saving throw, not both."
    if spell.saving_throw and f"ability:{spell.saving_throw}" not in bundle.elements:
        yield "saving_throw", f"There is no ability “{spell.saving_throw}”."
    if spell.damage and harm_of(spell.damage) is None:
        yield "damage", DAMAGE_REFUSED


def harm_of(damage: str) -> tuple[int, int, int, str] | None:
    """The number of dice, their sides, the bonus, and the kind of damage; None if the words hold no dice."""
    found = DICE.fullmatch(damage.replace("−", "-"))
    if found is None:
        return None
    dice, sides, sign, added, fixed, kind = found.groups()
    if fixed:
        return 0, 0, int(fixed), kind or ""
    if not 1 <= int(dice) <= MOST_DICE or not 2 <= int(sides) <= MOST_SIDES:
        return None
    return int(dice), int(sides), int(f"{sign or ''}{added or 0}"), kind or ""


def timing_of(spell: Spell) -> str:
    """The part of a turn that casting takes; "" if it takes longer."""
    return TIMES.get(spell.time.lower().removeprefix("1 "), "")


def spell_of(sheet: Sheet, key: str) -> Spell:
    found = next((spell for spell in sheet.solver.found.build.spells if spell.key == key), None)
    if found is None:
        raise NotAllowed("There is no such spell on the sheet.", "roll")
    return found


def context_of_spell(spell: Spell) -> RowContext:
    return MELEE_SPELL if spell.attack == "melee" else RANGED_SPELL


def strike_of(sheet: Sheet, spell: Spell) -> Attack:
    """The spell as an attack: the roll of a spell attack, and the spell's own damage."""
    dice, die, modifier, kind = harm_of(spell.damage) or (0, 0, 0, "")
    ability = f"ability:{sheet.solver.found.switch('spellAbility')}"
    context = context_of_spell(spell)
    key = f"attack.{spell.key}.{SPELL}" if spell.damage else f"cast.{spell.key}"
    roll = put_together(sheet.solver, RollQuery(key, spell.name, ATTACK, ability, frozenset(), True, context))
    return Attack(
        item=spell.key,
        ref="",
        name=spell.name,
        grip=SPELL,
        roll=roll,
        damage_dice=dice,
        damage_die=die,
        damage_modifier=modifier,
        damage=written(dice, die, modifier, 0) if spell.damage else "",
        type=kind,
    )


def in_words(bundle: Bundle, spell: Spell) -> str:
    """A spell in one line, without the caster's numbers: `Cantrip. Action, 60 ft. Ranged spell attack, 2d6 fire.`"""
    first = ", ".join(word for word in (spell.time, spell.range) if word)
    second = ", ".join(word for word in (test_of(bundle, spell), spell.damage) if word)
    parts = ["Cantrip" if spell.cantrip else "", first, second]
    return " ".join(f"{part[:1].upper()}{part[1:]}." for part in parts if part)


def test_of(bundle: Bundle, spell: Spell) -> str:
    """The roll that resolves a spell: `ranged spell attack`, `Mind save`, or "" for neither."""
    if spell.attack:
        return f"{spell.attack} spell attack"
    element = bundle.elements.get(f"ability:{spell.saving_throw}")
    name = element.name if element else spell.saving_throw.capitalize()
    return f"{name} save" if name else ""
