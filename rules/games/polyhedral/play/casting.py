"""Casting a spell of the player's own words (sections 22 and 29, rulings 57, 89 and 90)."""

from rules.engine.build import Build, Spell
from rules.engine.bundle import Bundle
from rules.engine.sheet import Attack, Sheet
from rules.games.outcome import NotAllowed, Outcome, name_of
from rules.games.table_action import At

from ..spells import DIFFICULTY, SPELL, has_magic, spell_of, strike_of, test_of, timing_of
from .arms import attack_of
from .body import conscious, needs_turn
from .ends import ended_by_roll, no_longer
from .points import came_to, paid
from .pool import Ready, RollOptions, fell, ready
from .turn import by_spell

HIDDEN = "condition:hidden"


def striking(sheet: Sheet, item: str, grip: str) -> Attack:
    """The attack that deals damage: with a weapon in a grip, or with a spell, by its key."""
    if grip != SPELL:
        return attack_of(sheet, item, grip)
    spell = spell_of(sheet, item)
    if not spell.damage:
        raise NotAllowed(f"{spell.name} deals no damage.", "attack")
    return strike_of(sheet, spell)


def cast_ready(bundle: Bundle, build: Build, sheet: Sheet, key: str, asked: RollOptions) -> Ready:
    """The attack roll of a spell, as it would be made."""
    spell = spell_of(sheet, key)
    if not spell.attack:
        raise NotAllowed(f"{spell.name} is cast without an attack roll.", "roll")
    return ready(bundle, build, strike_of(sheet, spell).roll, asked, "attack")


def cast(at: At, key: str, asked: RollOptions) -> Outcome:
    """Cast a spell: its attack is rolled, or the difficulty that its target must reach is named.

    A hidden character is seen after an attack, and after a spell that took its action (section 22).
    """
    bundle, build, sheet = at.bundle, at.build, at.sheet
    spell = spell_of(sheet, key)
    conscious(build)
    may_cast(bundle, build, sheet, spell)
    begins = f"{name_of(build)} casts {spell.name}"
    timing = timing_of(spell)
    over = ended_by_roll(bundle, build, "attack") if spell.attack or timing == "action" else ()
    # Aim is used up only by a spell that is an attack.
    ends = over if spell.attack else tuple(one for one in over if one[0] == HIDDEN)
    counts, too_much = by_spell(sheet, timing, cantrip=spell.cantrip)
    also = f"{no_longer(bundle, ends)}{too_much}"
    if spell.attack:
        spends = {**paid(sheet, asked.resolve), **counts}
        rolled = fell(cast_ready(bundle, build, sheet, key, asked), at.chance)
        word = "an attack in secret" if asked.secret else came_to(bundle, build, rolled)
        return Outcome(f"{begins}: {word}.{also}", spends, ends=ends, rolls=(rolled,))
    if asked != RollOptions():
        raise NotAllowed(f"{spell.name} needs no roll of yours: leave the dice as they are.")
    against = f": {test_of(bundle, spell)}, difficulty {sheet.value(DIFFICULTY)}" if spell.saving_throw else ""
    return Outcome(f"{begins}{against}.{also}", counts, ends=ends)


def may_cast(bundle: Bundle, build: Build, sheet: Sheet, spell: Spell) -> None:
    """Raise NotAllowed if the table has no magic, if the character wears armor without proficiency (ruling 57), or if
    this part of the turn is forbidden."""
    if not has_magic(bundle, build):
        raise NotAllowed("The house rules allow no magic.", "roll")
    if sheet.solver.found.wears("unproficient", ""):
        raise NotAllowed("You cannot cast spells in armor or with a shield that you are not proficient with.", "roll")
    needs_turn(sheet, timing_of(spell), "roll")
