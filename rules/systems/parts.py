"""Parts of what a game shows, each made anew only when something that it reads has moved."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from rules.engine.build import Build
from rules.engine.bundle import Bundle
from rules.engine.follow import ON_SHEET, differ
from rules.engine.sheet import Sheet

IN_BUILD = tuple(field.name for field in fields(Build))


@dataclass(frozen=True)
class Shown:
    """What is shown of a character already, by the same content: `parts` has them as attributes."""

    build: Build
    sheet: Sheet
    parts: Any


@dataclass(frozen=True)
class Part:
    """How a part is made, and all that this reads of the sheet and of the build."""

    make: Callable[[Bundle, Build, Sheet], Any]
    sheet: tuple[str, ...] = ()
    build: tuple[str, ...] = ()


def made(
    parts: Mapping[str, Part], bundle: Bundle, build: Build, sheet: Sheet, shown: Shown | None = None
) -> dict[str, Any]:
    """Every part by name; the very same one where nothing that it reads differs from what is shown."""
    if shown is None:
        return {name: part.make(bundle, build, sheet) for name, part in parts.items()}
    moved = {name for name in ON_SHEET if getattr(sheet, name) is not getattr(shown.sheet, name)}
    decided = {name for name in IN_BUILD if differ(getattr(build, name), getattr(shown.build, name))}
    return {
        name: getattr(shown.parts, name)
        if moved.isdisjoint(part.sheet) and decided.isdisjoint(part.build)
        else part.make(bundle, build, sheet)
        for name, part in parts.items()
    }
