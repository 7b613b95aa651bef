"""Parts of what a game shows, each made anew only when something that it reads has moved."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from rules.engine.build import Build
from rules.engine.bundle import Bundle
from rules.engine.sheet import Sheet


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

    def stands(self, build: Build, sheet: Sheet, shown: Shown) -> bool:
        for name in self.sheet:
            if getattr(sheet, name) is not getattr(shown.sheet, name):
                return False
        return all(getattr(build, name) == getattr(shown.build, name) for name in self.build)


def made(
    parts: Mapping[str, Part], bundle: Bundle, build: Build, sheet: Sheet, shown: Shown | None = None
) -> dict[str, Any]:
    """Every part by name; the very same one where nothing that it reads differs from what is shown."""
    if shown is None:
        return {name: part.make(bundle, build, sheet) for name, part in parts.items()}
    return {
        name: getattr(shown.parts, name) if part.stands(build, sheet, shown) else part.make(bundle, build, sheet)
        for name, part in parts.items()
    }
