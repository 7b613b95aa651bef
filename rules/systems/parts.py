"""Parts of what a game shows: each is made when somebody asks for it, and anew only when what it reads has moved."""

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, Self

from rules.engine.build import Build
from rules.engine.bundle import Bundle
from rules.engine.follow import differ
from rules.engine.sheet import Sheet

type Readers = dict[str, set[str]]
NO_PARTS = frozenset[str]()


@dataclass(frozen=True)
class Part:
    """How a part is made, and all that this reads of the sheet and of the build.

    `rolls.skill` is what stands among the sheet's rolls under `skill`: at keys that begin so, up to a dot.
    """

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
    of_sheet, under, of_build = readers(type(earlier))  # type: ignore[arg-type]
    gone = set[str]()
    before = vars(earlier.sheet)
    for name, now in vars(sheet).items():
        if now is not (was := before[name]):
            gone |= of_sheet.get(name, NO_PARTS)
            if name in under:
                for word in moved_under(was, now):
                    gone |= under[name].get(word, NO_PARTS)
    for name, parts in of_build.items():
        if differ(getattr(build, name), getattr(earlier.build, name)):
            gone |= parts
    had = vars(earlier).copy()  # whoever shows it in another thread may be adding a part
    return {name: made for name, made in had.items() if name in earlier.made_of and name not in gone}


def moved_under(was: Mapping[str, Any], now: Mapping[str, Any]) -> set[str]:
    """The words before the dot of what has moved; of all keys, where one has come or gone."""
    if was.keys() != now.keys():
        return {key.partition(".")[0] for key in was.keys() | now.keys()}
    return {key.partition(".")[0] for key, one in now.items() if was[key] is not one}


@cache
def readers(kind: type[Parts]) -> tuple[Readers, dict[str, Readers], Readers]:
    """Which of these parts read a field of the sheet, which of them what stands under a word there, and which a field
    of the build."""
    of_sheet, of_build = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
    under: dict[str, Readers] = {}
    for part, made in kind.made_of.items():
        for name in made.sheet:
            field, _, word = name.partition(".")
            (under.setdefault(field, defaultdict(set))[word] if word else of_sheet[field]).add(part)
        for name in made.build:
            of_build[name].add(part)
    return of_sheet, under, of_build
