"""The `Spells` of a game without spells."""

from collections.abc import Iterable

from rules.engine.build import Build, Spell
from rules.engine.bundle import Bundle

ATTACKS: tuple[str, ...] = ()


def has_magic(bundle: Bundle, build: Build) -> bool:
    return False


def unfit_parts(bundle: Bundle, spell: Spell) -> Iterable[tuple[str, str]]:
    return ()


def in_words(bundle: Bundle, spell: Spell) -> str:
    return ""
