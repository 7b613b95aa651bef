"""An action at the table, said once: its name, what its form asks, who may, and the procedure, beside its rule.

The site makes everything else from it: the address, the reading of the form, the history's filters, the keys, and what
the tests try. A game lists its own in `play.ACTIONS`; those that every game has are in `characters/actions`.
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


class Kind(NamedTuple):
    """A filter of the history."""

    slug: str
    name: str


CONDITIONS = Kind("conditions", "Conditions")
DICE = Kind("dice", "Dice")
RESTS = Kind("rests", "Rests and marks")
THINGS = Kind("things", "Things")
STORY = Kind("story", "Story")


# Fields: the shape of one answer, its bounds, and the sentence for an answer that has another shape. `empty` is the
# sentence for no answer, where there must be one.


@dataclass(frozen=True, slots=True)
class Text:
    """The player's own words: one line, or several; at most `limit` characters. `otherwise` stands for no answer."""

    limit: int
    empty: str = ""
    lines: bool = False
    otherwise: str | None = ""


@dataclass(frozen=True, slots=True)
class Word:
    """The name of something the site or the rules know: a slug, a ref, a key, an address. The procedure looks it up."""

    limit: int = 120
    empty: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """One of these words. Without `otherwise` one must be given."""

    options: tuple[str, ...]
    wrong: str
    otherwise: str | None = None


@dataclass(frozen=True, slots=True)
class Number:
    """A whole number within bounds. `otherwise` stands for no answer; `signs` may stand before it and mean nothing."""

    least: int
    most: int
    otherwise: int | None = None
    empty: str = ""
    wrong: str = "Enter a whole number."
    signs: str = ""


@dataclass(frozen=True, slots=True)
class Amount:
    """The text typed into a counter: `-7` and `+5` move it, `12` sets it. Read as a Typed."""

    empty: str = ""


class Typed(NamedTuple):
    """Exactly one of the two: how far the number moves, or what it becomes."""

    by: int | None = None
    to: int | None = None


@dataclass(frozen=True, slots=True)
class Numbers:
    """Several numbers as people write them, `6 6 2` or `6, 6, 2`; none for no answer."""

    wrong: str
    least: int
    most: int
    many: int = 80


@dataclass(frozen=True, slots=True)
class Tick:
    """Yes or no: a box that is ticked, or a button that says either. `otherwise` stands for no answer."""

    otherwise: bool | None = False


@dataclass(frozen=True, slots=True)
class Row:
    """The number of a row: of an item, a roll, a relationship, a change. `wrong`: there is no such row."""

    wrong: str
    needed: bool = True


@dataclass(frozen=True, slots=True)
class SheetAddress:
    """A character of this site by the address of its sheet, as it stands in a browser; None where nothing is said."""


FACES = Numbers("Write the faces as numbers, such as 6 4 1.", 1, 100)
MOST = 100_000  # that anybody types at once


@dataclass(frozen=True, slots=True)
class Entry:
    """A row of the log of rolls that stands: the roll as it was then, the action that wrote it, the aspect invoked."""

    number: int
    rolled: Rolled
    action: str
    change: int  # the number of the change that wrote it
    aspect: str = ""
    moved: Mapping[str, int] = field(default_factory=dict)  # what that change spent, by resource
    conditions: frozenset[Ref] = frozenset()  # those without a source that it began or ended


class Moved(NamedTuple):
    """The moves of a change: resources with the amount spent after it, and conditions without a source."""

    spent: Mapping[str, int]
    conditions: frozenset[Ref]


class Since(NamedTuple):
    """A moment of the past: the newest of these actions that stands, or roll with this key. `rest`: only where the
    action began a rest."""

    actions: tuple[str, ...]
    roll: str = ""
    rest: bool = False


class Log(Protocol):
    """The character's history at the table, without what is undone."""

    def roll(self, number: int) -> list[Entry]:
        """The roll with this number and what was added to it, oldest first; empty where there is none."""

    def newest(self, kind: str) -> list[Entry]:
        """The newest roll of this kind, as `roll` answers it."""

    def asked(self, action: str, since: Since) -> list[Mapping[str, object]]:
        """The arguments of each of these actions since that moment."""

    def last(self, *actions: str) -> tuple[str, timedelta] | None:
        """The newest of these actions that stands, and how long ago it was."""

    def last_moved(self, condition: Ref) -> Moved:
        """The newest change that began or ended this condition."""

    def happened_since(self, change: int, *actions: str) -> bool:
        """True if one of these actions has since the change with this number."""

    def moved_since(self, change: int, resources: Collection[str], conditions: Collection[Ref]) -> bool:
        """True if anything but an undoing has moved one of these since the change with this number."""


class At(Protocol):
    """A character at the table, as a procedure finds it."""

    @property
    def bundle(self) -> Bundle: ...

    @property
    def build(self) -> Build: ...

    @property
    def sheet(self) -> Sheet: ...

    @property
    def log(self) -> Log: ...

    @property
    def chance(self) -> Random: ...

    def words_of(self, address: str) -> str:
        """The words of one of the character's aspects or relationships that may be drawn on. Raises NotAllowed, field
        `aspect`."""


type Field = Text | Word | Choice | Number | Amount | Numbers | Tick | Row | SheetAddress


@dataclass(frozen=True, slots=True, eq=False)
class Action:
    """`do(at, **answers)` answers the Outcome, or raises NotAllowed. The answers have the names of the fields.

    name: the verb of the journal; the last part of the address is made of it. region: the part of the sheet where its
    form stands. form: the name of that form, where several actions share one. by: the fields that tell several such
    forms of a page apart. may: a word of `characters.access`. key: the letter that leads to it, and what the list of
    keys says of that. ahead: its page says first what it would change.
    """

    name: str
    do: Callable[..., Outcome]
    kind: Kind | None
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
    """A button under something proposed: its words, the fields of the action that it settles, and those that whoever
    presses it may add."""

    word: str
    settles: Mapping[str, str] = field(default_factory=dict)
    takes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Together:
    """An action that whoever runs a table does to several characters at once, or proposes to their players.

    word: its button; line: what a line says in place of that. says: the fields of which the first that is answered is
    told beside it. half: the field whose number may be halved for some of them. for_some: what else may be said of
    each. helped: the fields that the help of another one settles. split: the field whose number may be split among all
    of them. ways: the buttons of the proposal; where it is declinable, there is one more that says no. proposed: the
    players always have the last word. often: its button is always in sight.
    """

    action: str
    word: str
    line: str = ""
    says: tuple[str, ...] = ()
    half: str = ""
    for_some: tuple[Way, ...] = ()
    helped: Mapping[str, str] = field(default_factory=dict)
    split: str = ""
    ways: tuple[Way, ...] = (Way("Accept"),)
    declinable: bool = True
    proposed: bool = False
    often: bool = False
