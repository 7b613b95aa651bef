"""Parts of what a game shows: each is made when somebody asks for it, and anew only when what it reads has moved."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Self

from rules.engine.build import Build
from rules.engine.bundle import Bundle
from rules.engine.follow import differ
from rules.engine.sheet import Sheet

DICE = ("rolls", "attacks")


@dataclass(frozen=True)
class Part:
    """How a part is made, and all that this reads of the sheet and of the build.

    `rolls.skill` is what stands among the sheet's rolls under `skill`: at keys that begin so, up to a dot.
    """

    make: Callable[[Bundle, Build, Sheet], Any]
    sheet: tuple[str, ...] = ()
    build: tuple[str, ...] = ()

    @cached_property
    def dice(self) -> frozenset[str]:
        """What it reads of rolls and attacks."""
        return frozenset(name for name in self.sheet if name.partition(".")[0] in DICE)

    @cached_property
    def reads(self) -> frozenset[str]:
        """Everything else."""
        return frozenset([*(set(self.sheet) - self.dice), *(f"build {name}" for name in self.build)])


class Parts:
    """A subclass says what its parts are called, what each holds, and in `made_of` how each is made."""

    made_of: ClassVar[Mapping[str, Part]]
    # What has moved since an earlier state, and what that had shown.
    _since: "Since | None" = None
    _shown: Mapping[str, Any] = {}

    def __init__(self, bundle: Bundle, build: Build, sheet: Sheet):
        self.bundle, self.build, self.sheet = bundle, build, sheet

    def after(self, build: Build, sheet: Sheet, since: "Since") -> Self:
        """Later, by the same content: where a part reads nothing that has moved since, the very same object stands."""
        later = type(self)(self.bundle, build, sheet)
        had = vars(self).copy()  # whoever shows this in another thread may be adding a part
        shown = {name: made for name, made in had.items() if name in self.made_of}
        for name in self._shown.keys() - shown.keys():  # what nobody asked of this one
            if self._since and self._since.stands_unasked(self.made_of[name]):
                shown[name] = self._shown[name]
        later._since, later._shown = since, shown
        return later

    def __getattr__(self, name: str) -> Any:
        part = self.made_of.get(name)
        if part is None:
            raise AttributeError(name)
        if name in self._shown and self._since and self._since.stands(part):
            made = self._shown[name]
        else:
            made = part.make(self.bundle, self.build, self.sheet)
        self.__dict__[name] = made
        return made

    def __eq__(self, other: object) -> bool:
        """Whether they show the same, part by part. All of both is made for it."""
        if type(self) is not type(other):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self.made_of)

    __hash__ = None  # type: ignore[assignment]


class Since:
    """What has moved since an earlier state of a character: of its rolls only when a part needs to know, since they
    are put together for that."""

    def __init__(self, old_build: Build, old_sheet: Sheet, build: Build, sheet: Sheet):
        before, builds = vars(old_sheet), vars(old_build)
        self.moved = {name for name, now in vars(sheet).items() if now is not before[name]}
        self.moved.update([f"build {name}" for name, now in vars(build).items() if differ(now, builds[name])])
        self.old_dice, self.dice = old_sheet.dice, sheet.dice

    def stands(self, part: Part) -> bool:
        """Whether the part reads nothing that has moved."""
        return part.reads.isdisjoint(self.moved) and (not part.dice or part.dice.isdisjoint(self.moved_dice))

    def stands_unasked(self, part: Part) -> bool:
        """Whether that is certain before any roll is put together."""
        return part.reads.isdisjoint(self.moved) and (not part.dice or self.dice is self.old_dice)

    @cached_property
    def moved_dice(self) -> set[str]:
        """Rolls by the word before the dot: of what has moved; of all keys, where one has come or gone."""
        if self.dice is self.old_dice:
            return set()
        (was, had), (now, has) = self.old_dice.made, self.dice.made
        moved = set() if has is had else {"attacks"}
        if was is now:
            return moved
        keys = was.keys() | now.keys()
        if was.keys() == now.keys():
            keys = {key for key, one in now.items() if was[key] is not one}
        return moved.union(["rolls"], [f"rolls.{key.partition('.')[0]}" for key in keys])
