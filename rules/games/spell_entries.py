"""Spells in a source. A player can take one over onto a sheet, where it is in the player's own words (decision 079)."""

from collections.abc import Iterator

from rules.engine.build import Spell
from rules.engine.bundle import Bundle
from rules.engine.content import Element

LONGEST = {"name": 80, "text": 4_000}  # other kinds of entry may have longer texts; these fit on a sheet


def as_noted(element: Element) -> Spell:
    """The spell that a sheet gets by taking over this entry."""
    entry = element.spell
    assert entry is not None
    return Spell(
        name=element.name,
        time=entry.time,
        range=entry.range,
        cantrip=entry.cantrip,
        attack=entry.attack,
        saving_throw=entry.saving_throw.partition(":")[2],
        damage=entry.damage,
        text=element.text,
    )


def unfit_parts(bundle: Bundle, spell: Spell) -> Iterator[tuple[str, str]]:
    """The parts that keep every sheet of this game from taking over the spell: the field, and a sentence."""
    for field, most in LONGEST.items():
        if len(getattr(spell, field)) > most:
            yield field, f"A sheet has room for {most:,} characters."
    yield from bundle.game.spells.unfit_parts(bundle, spell)
