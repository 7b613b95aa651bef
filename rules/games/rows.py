"""Rows on the shared pages of a character. A game keeps further ones in its own folder."""

from dataclasses import dataclass
from typing import NamedTuple

from rules.engine.content import Ref
from rules.engine.sheet import ActionLine, ResourceLine


@dataclass(frozen=True, slots=True)
class NamedElement:
    """The name of an element, with its rank if it has one."""

    ref: Ref
    name: str
    rank: int = 0


@dataclass(frozen=True, slots=True)
class Identity:
    name: str
    level: int
    xp: int | None  # None if levels are given out instead
    origins: tuple[NamedElement, ...]
    jobs: tuple[NamedElement, ...]
    paths: tuple[NamedElement, ...]
    dispositions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class UsesRow:
    key: str
    line: ResourceLine
    back: str
    on: range
    off: range


@dataclass(frozen=True, slots=True)
class ActionGroup:
    """Actions of one timing: the character's own, and those that everyone has."""

    name: str
    own: tuple[ActionLine, ...]
    common: tuple[ActionLine, ...]


@dataclass(frozen=True, slots=True)
class FeatureRow:
    ref: Ref
    name: str
    text: str
    path: str


@dataclass(frozen=True, slots=True)
class ItemRow:
    name: str
    ref: Ref
    quantity: int
    source: str


@dataclass(frozen=True, slots=True)
class ConditionRow:
    ref: Ref
    name: str
    stacks: int
    summary: str
    source: str


@dataclass(frozen=True, slots=True)
class HouseRule:
    name: str
    value: str
    default: str


@dataclass(frozen=True, slots=True)
class ExceptionRow:
    """Something taken although a requirement was not met, with the storyteller's reason."""

    name: str
    level: int
    reason: str


@dataclass(frozen=True, slots=True)
class HeldRow:
    """A condition in force, its source, and its end. An implied one has the name of the condition that implies it, and
    cannot be removed by hand."""

    ref: Ref
    name: str
    summary: str
    stacks: int
    source: str
    ends: str
    implied_by: str
    by: str  # the word before the source: “by”, or "" if the source is the target

    @property
    def text(self) -> str:
        """The name, with the number of stacks if it is more than one."""
        return f"{self.name} × {self.stacks}" if self.stacks > 1 else self.name


class Situation(NamedTuple):
    """A circumstance to switch. near: shown in a prominent place, because a condition in force depends on it. Being
    switched on makes no difference, or its button would move when pressed."""

    slug: str
    name: str
    on: bool
    near: bool


@dataclass(frozen=True, slots=True)
class Thing:
    """An item, and the places where it may go. shots: what was shot or thrown, in words."""

    key: str
    ref: Ref
    name: str
    quantity: int
    tags: tuple[str, ...]
    places: tuple[tuple[str, str], ...]
    shots: str
    reloads: bool


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of a character on a party's roster. With `most`, it is a counter with `left` remaining, also drawn as
    marks, or as a bar if there are too many. bad: draws attention. minor: drawn small."""

    name: str
    text: str
    note: str = ""
    left: int = 0
    most: int = 0
    bad: bool = False
    minor: bool = False


@dataclass(frozen=True, slots=True)
class Reach:
    """One class of goods: whether the pool affords it, and the price of buying it alone, in words."""

    number: int
    name: str
    together: bool
    alone: str


@dataclass(frozen=True, slots=True)
class Pool:
    """The means of several characters together."""

    words: str
    classes: tuple[Reach, ...]
