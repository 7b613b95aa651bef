"""The `ConsequenceRules` of a game in which no condition follows from numbers."""

from collections.abc import Sequence

from rules.engine.build import Build, Held
from rules.engine.content import Ref
from rules.engine.sheet import Sheet

from .outcome import Outcome
from .table_action import At, LoggedRoll, Past, TableLog

LAPSE: frozenset[Ref] = frozenset()
STATES: Sequence[Ref] = ()
COUNTS: Sequence[str] = ()
FALLEN = Held("")
DECISIVE = ""


def lapsed(build: Build, sheet: Sheet) -> Outcome:
    return Outcome()


def resized(had: Sheet, build: Build, sheet: Sheet) -> Outcome:
    return Outcome()


def after_undo(at: At, was: Build, past: Past) -> Outcome:
    return Outcome()


def decides(log: TableLog, build: Build, save: Sequence[LoggedRoll]) -> bool:
    return False


def moves_life(entry: LoggedRoll) -> bool:
    return False
