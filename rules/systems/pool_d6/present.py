"""The page of a sheet, made of its parts in the order a player reads them."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from rules.engine.build import Build
from rules.engine.bundle import Bundle
from rules.engine.sheet import Sheet

from . import parts, steps
from .page import Page


@dataclass(frozen=True)
class Shown:
    """What is shown of a character already, by the same content."""

    build: Build
    page: Page


@dataclass(frozen=True)
class Part:
    """How a part of the page is made, and all that this reads of the sheet and of the build."""

    make: Callable[[Bundle, Build, Sheet], Any]
    sheet: tuple[str, ...] = ()
    build: tuple[str, ...] = ()

    def stands(self, build: Build, sheet: Sheet, shown: Shown) -> bool:
        return all(getattr(sheet, name) is getattr(shown.page.sheet, name) for name in self.sheet) and all(
            getattr(build, name) == getattr(shown.build, name) for name in self.build
        )


PARTS = {
    "identity": Part(parts.identity, ("level", "active"), ("name", "xp", "decisions")),
    "vitals": Part(parts.vitals, ("resources", "values", "rolls")),
    "abilities": Part(parts.abilities, ("values", "rolls")),
    "every_save": Part(parts.every_save, ("rolls",)),
    "skills": Part(partial(parts.checks, "skill"), ("rolls",)),
    "knowledges": Part(partial(parts.checks, "knowledge"), ("rolls",)),
    "tools": Part(partial(parts.checks, "tool"), ("rolls",)),
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
    return Page(
        sheet=sheet,
        **{
            name: getattr(shown.page, name)
            if shown and part.stands(build, sheet, shown)
            else part.make(bundle, build, sheet)
            for name, part in PARTS.items()
        },
    )
