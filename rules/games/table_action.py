"""An action at the table, defined in one place: its name, the fields of its form, who may do it, and the procedure.

The site derives everything else from it: the address, the reading of the form, the filters of the history, the shortcut
keys, and what tests try. A game lists its own actions in `play.ACTIONS`; those of every game are in
`characters/actions`.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from random import Random
from typing import NamedTuple, Protocol

from rules.engine.build import Build
from rules.engine.bundle import Bundle
from rules.engine.content import Ref
from rules.engine.sheet import Sheet

from .outcome import Outcome, Rolled


class HistoryKind(NamedTuple):
    """A filter of the history."""

    slug: str
    name: str


CONDITIONS = HistoryKind("conditions", "Conditions")
DICE = HistoryKind("dice", "Dice")
RESTS = HistoryKind("rests", "Rests and marks")
THINGS = HistoryKind("things", "Equipment")
STORY = HistoryKind("story", "Story")


# Fields: the shape of one answer, its bounds, and the sentence for any other answer. `empty` is the sentence for a
# missing answer, if one is required.


@dataclass(frozen=True, slots=True)
class Text:
    """The player's own words: one line or several, at most `limit` characters. `otherwise` is the value without an
    answer."""

    limit: int
    empty: str = ""
    lines: bool = False
    otherwise: str | None = ""


@dataclass(frozen=True, slots=True)
class Word:
    """The name of something the site or the rules know: a slug, a ref, a key, an address. The procedure looks it up.
    `otherwise` is the value without an answer."""

    limit: int = 120
    empty: str = ""
    otherwise: str | None = ""


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of these words, which is required unless there is an `otherwise`."""

    options: tuple[str, ...]
    wrong: str
    otherwise: str | None = None


@dataclass(frozen=True, slots=True)
class Number:
    """A whole number within bounds. `otherwise` is the value without an answer. `signs` may come before it and are
    ignored."""

    least: int
    most: int
    otherwise: int | None = None
    empty: str = ""
    wrong: str = "Enter a whole number."
    signs: str = ""


@dataclass(frozen=True, slots=True)
class Adjustment:
    """Text typed into a counter: `-7` and `+5` move it, `12` sets it. Read as a Typed."""

    empty: str = ""


class Typed(NamedTuple):
    """Exactly one of two: the change of a number (`by`), or its new value (`to`)."""

    by: int | None = None
    to: int | None = None


@dataclass(frozen=True, slots=True)
class Numbers:
    """Several numbers as people type them, `6 6 2` or `6, 6, 2`; empty without an answer."""

    wrong: str
    least: int
    most: int
    many: int = 80


@dataclass(frozen=True, slots=True)
class Tick:
    """Yes or no: a checkbox, or a button that says either. `otherwise` is the value without an answer."""

    otherwise: bool | None = False


@dataclass(frozen=True, slots=True)
class RowNumber:
    """The number of an item, a roll, a relationship or a change. `wrong` is the sentence if there is no such row."""

    wrong: str
    needed: bool = True


@dataclass(frozen=True, slots=True)
class SheetAddress:
    """A character of this site, by the address of its sheet as copied from a browser; None without an answer."""


FACES = Numbers("Write the faces as numbers, such as 6 4 1.", 1, 100)  # of real dice, typed in
MOST = 100_000  # the most that anyone would type at once
AN_AMOUNT = "Type an amount such as −7, +5 or 12."


@dataclass(frozen=True, slots=True)
class LoggedRoll:
    """A row in the log of rolls that is not undone: the roll as it was then, and the aspect invoked for it."""

    number: int
    rolled: Rolled
    change: int  # the number of the change that wrote it
    aspect: str = ""
    moved: Mapping[str, int] = field(default_factory=dict)  # the amounts that change spent, by resource
    conditions: frozenset[Ref] = frozenset()  # conditions without a source that this change began or ended


class ChangeMoves(NamedTuple):
    """The moves of a change: resources, each with the amounts spent before and after it, and conditions without a
    source that began (True) or ended (False)."""

    spent: Mapping[str, tuple[int, int]]
    conditions: Mapping[Ref, bool]
    sentence: str = ""
    again: bool = False  # it was undone and is being redone

    def by(self, resource: str) -> int:
        """The amount of a resource that the change spent."""
        before, after = self.spent.get(resource, (0, 0))
        return after - before


type Past = Callable[[Collection[str], Collection[Ref]], list[ChangeMoves]]
"""The changes in force after an undo that changed one of these resources or conditions, oldest first."""


class Since(NamedTuple):
    """A moment in the past: the newest of these actions that is not undone, or the newest roll with this key. rest: an
    action counts only if it began a rest."""

    actions: tuple[str, ...]
    roll: str = ""
    rest: bool = False


class TableLog(Protocol):
    """The character's history at the table, without anything undone."""

    def roll(self, number: int) -> list[LoggedRoll]:
        """The roll with this number, then what was added to it, oldest first; empty if there is none."""

    def newest(self, kind: str) -> list[LoggedRoll]:
        """The newest roll of this kind, in the form that `roll` returns."""

    def asked(self, action: str, since: Since) -> list[Mapping[str, object]]:
        """The arguments of this action, for each time it was done since that moment."""

    def last(self, *actions: str) -> tuple[str, timedelta] | None:
        """The newest of these actions that is not undone, and the time since then."""

    def happened_since(self, change: int, *actions: str) -> bool:
        """True if one of these actions was done after the change with this number."""

    def moved_since(self, change: int, resources: Collection[str], conditions: Collection[Ref]) -> bool:
        """True if anything but an undo has changed one of these since the change with this number."""


class At(Protocol):
    """A character at the table, as a procedure gets it."""

    @property
    def bundle(self) -> Bundle: ...

    @property
    def build(self) -> Build: ...

    @property
    def sheet(self) -> Sheet: ...

    @property
    def log(self) -> TableLog: ...

    @property
    def chance(self) -> Random: ...

    def words_of(self, address: str) -> str:
        """The words of the aspect or relationship at this address, if the character may invoke it. Raises NotAllowed
        with the field `aspect`."""


type Field = Text | Word | OneOf | Number | Adjustment | Numbers | Tick | RowNumber | SheetAddress


@dataclass(frozen=True, slots=True, eq=False)
class TableAction:
    """An action at the table. `do(at, **answers)` returns the Outcome or raises NotAllowed; the answers have the names
    of the fields.

    name: the verb in the journal; the last part of the address is made from it. region: the part of the sheet with its
    form. form: the name of that form, if several actions share it. by: the fields that tell several such forms on a
    page apart. may: a word of `characters.access`. key: its shortcut letter, and its line in the list of keys. ahead:
    its page previews the changes first.
    """

    name: str
    do: Callable[..., Outcome]
    kind: HistoryKind | None
    region: str
    fields: Mapping[str, Field] = field(default_factory=dict)
    form: str = ""
    by: tuple[str, ...] = ()
    may: str = "play"
    key: tuple[str, str] = ("", "")
    ahead: bool = False

    @property
    def slug(self) -> str:
        return self.name.replace("_", "-")


@dataclass(frozen=True, slots=True)
class Way:
    """A button under a proposal: its words, the fields of the action that it fills in, the fields that the player may
    add, and the word for an answer given with it."""

    word: str
    settles: Mapping[str, str] = field(default_factory=dict)
    takes: tuple[str, ...] = ()
    answered: str = "accepted"


@dataclass(frozen=True, slots=True)
class Together:
    """An action that the person who runs a table does to several characters at once, or proposes to their players.

    word: on its button. line: its name in a line of text, if different. says: of these fields, the first one filled in
    is shown beside it. many: the field that says how many of that. half: the field whose number may be halved for some
    characters. for_some: further options for each character. helped: the fields that another character's help fills in.
    split: the field whose number may be split among all. ways: the buttons of the proposal; if declinable, there is
    also one to decline. proposed: it is always proposed. often: its button is always visible.
    """

    action: str
    word: str
    line: str = ""
    says: tuple[str, ...] = ()
    many: str = ""
    half: str = ""
    for_some: tuple[Way, ...] = ()
    helped: Mapping[str, str] = field(default_factory=dict)
    split: str = ""
    ways: tuple[Way, ...] = (Way("Accept"),)
    declinable: bool = True
    proposed: bool = False
    often: bool = False
