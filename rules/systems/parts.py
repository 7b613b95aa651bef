"""Parts of what a game shows: each is made when somebody asks for it, and anew only when what it reads has moved."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from rules.engine.build import Build
from rules.engine.bundle import Bundle
from rules.engine.follow import differ
from rules.engine.sheet import Sheet


@dataclass(frozen=True)
class Part:
    """How a part is made, and all that this reads of the sheet and of the build."""

    make: Callable[[Bundle, Build, Sheet], Any]
    sheet: tuple[str, ...] = ()
    build: tuple[str, ...] = ()


class Parts:
    """A subclass says what its parts are called, what each holds, and in `made_of` how each is made."""

    made_of: ClassVar[Mapping[str, Part]]
    bundle: Bundle
    build: Build
    sheet: Sheet

    def __init__(self, bundle: Bundle, build: Build, sheet: Sheet, earlier: Self | None = None):
        """`earlier` shows the same character by the same content: where a part reads nothing that has moved since,
        the very same object stands here."""
        self.bundle, self.build, self.sheet = bundle, build, sheet
        if earlier is not None:
            self.__dict__ |= standing(earlier, build, sheet)

    def __getattr__(self, name: str) -> Any:
        part = self.made_of.get(name)
        if part is None:
            raise AttributeError(name)
        made = self.__dict__[name] = part.make(self.bundle, self.build, self.sheet)
        return made

    def __eq__(self, other: object) -> bool:
        """Whether they show the same, part by part. All of both is made for it."""
        if type(self) is not type(other):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self.made_of)

    __hash__ = None  # type: ignore[assignment]


def standing(earlier: Parts, build: Build, sheet: Sheet) -> dict[str, Any]:
    """What has been made of the earlier one and comes to the same now, by name."""
    made = [(name, part) for name, part in earlier.made_of.items() if name in earlier.__dict__]
    moved = {
        name for _, part in made for name in part.sheet if getattr(sheet, name) is not getattr(earlier.sheet, name)
    }
    decided = {
        name for _, part in made for name in part.build if differ(getattr(build, name), getattr(earlier.build, name))
    }
    return {
        name: earlier.__dict__[name]
        for name, part in made
        if moved.isdisjoint(part.sheet) and decided.isdisjoint(part.build)
    }
