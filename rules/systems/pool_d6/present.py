"""The page of a sheet, made of its parts in the order a player reads them."""

from functools import partial

from rules.engine.build import Build
from rules.engine.bundle import Bundle
from rules.engine.sheet import Sheet
from rules.systems.parts import Part, Shown, made

from . import parts, steps
from .page import Page

PARTS = {
    "identity": Part(parts.identity, ("level", "active"), ("name", "xp", "decisions")),
    "vitals": Part(parts.vitals, ("resources", "values", "rolls")),
    "abilities": Part(parts.abilities, ("values", "rolls")),
    "every_save": Part(parts.every_save, ("rolls",)),
    "skills": Part(partial(parts.checks, "skill"), ("rolls",)),
    "knowledges": Part(partial(parts.checks, "knowledge"), ("rolls",)),
    "attacks": Part(parts.attacks, ("attacks",)),
    "uses": Part(parts.uses, ("resources",)),
    "actions": Part(parts.actions, ("actions",)),
    "features": Part(parts.features, ("active",)),
    "proficiencies": Part(parts.proficiencies, ("proficiencies",)),
    "defenses": Part(parts.defenses, ("defenses",)),
    "equipment": Part(parts.equipment, ("belongings",), ("items",)),
    "conditions": Part(parts.conditions, ("conditions",), ("conditions",)),
    "aspects": Part(parts.aspects, (), ("aspects",)),
    "notes": Part(parts.notes, ("notes",)),
    "numbers": Part(parts.numbers, ("values",)),
    "house_rules": Part(parts.house_rules, (), ("switches",)),
    "exceptions": Part(parts.exceptions, (), ("decisions",)),
    "missing": Part(steps.missing, ("choices",), ("name", "inputs", "decisions", "aspects")),
    "problems": Part(steps.problems, ("problems", "choices"), ("decisions",)),
}


def present(bundle: Bundle, build: Build, sheet: Sheet, shown: Shown | None = None) -> Page:
    """The whole sheet of one character, complete or not, ready for a template.

    After what is `shown` of the same character already, only the parts that read something else are made anew.
    """
    return Page(sheet=sheet, **made(PARTS, bundle, build, sheet, shown))
