"""Compares three packs: an origin, and two that started from it. Finds the changes in one that the other would undo,
and merges both."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from .pack_difference import ADDED, REMOVED, RETIRED, MovedPart, RowDifference, difference, without
from .source_rows import Pack


@dataclass(frozen=True)
class RowPart:
    """One part of a row in the origin, here, and in the new pack, as sentences or values.

    Lines that all three have are left out.
    """

    label: str
    was: tuple[str, ...]
    here: tuple[str, ...]
    coming: tuple[str, ...]

    @property
    def untouched(self) -> bool:
        """True if the new pack has it as in the origin, so only the change made here would be lost."""
        return self.was == self.coming


@dataclass(frozen=True)
class RowConflict:
    """A row that was changed here and that the new pack would change again. parts: those that both have changed."""

    kind: str
    name: str
    parts: tuple[RowPart, ...]
    said: str = ""  # instead of parts, if one of the two lacks the row


def conflicts(
    was: Pack, here: Pack, coming: Iterable[RowDifference], beneath: Iterable[Pack]
) -> tuple[RowConflict, ...]:
    """The rows that were changed from `was` to `here` and whose change would be replaced by `coming`, the difference
    between here and the new pack."""
    mine = {(line.kind, line.key): line for line in difference(was, here, beneath)}
    found = (conflict(mine[line.kind, line.key], line) for line in coming if (line.kind, line.key) in mine)
    return tuple(one for one in found if one)


def conflict(mine: RowDifference, coming: RowDifference) -> RowConflict | None:
    said = ""
    if mine.how == ADDED and coming.how in (RETIRED, REMOVED):
        said = "It was made here, and the pack does not have it."
    elif coming.how in (RETIRED, REMOVED):
        said = "It was changed here, and the pack does not have it."
    elif coming.how == ADDED:
        said = "It was removed here, and the pack has it."
    elif mine.how == RETIRED:
        said = "It was retired here, and the pack changes it."
    after = {one.label: one for one in coming.moved}
    parts = [part(one, after[one.label]) for one in mine.moved if one.label in after and clash(one, after[one.label])]
    if not (said or parts):
        return None
    return RowConflict(coming.kind, coming.name, () if said else tuple(parts), said)


def clash(mine: MovedPart, coming: MovedPart) -> bool:
    """True if the change made here would be replaced. Lists and texts are compared line by line, so changes in other
    lines do not count."""
    if set(mine.after) & set(coming.before) or set(mine.before) & set(coming.after):
        return True
    return not (mine.after or coming.before)


def part(mine: MovedPart, coming: MovedPart) -> RowPart:
    only_pack_changes, only_changed_here = without(coming.before, mine.after), without(mine.after, coming.before)
    return RowPart(
        mine.label,
        was=(*only_pack_changes, *mine.before),
        here=(*coming.before, *only_changed_here),
        coming=(*coming.after, *only_changed_here),
    )


def merged(was: Pack, here: Pack, coming: Pack) -> Pack:
    """`coming` with the changes made here, except to rows that it has changed, too. A row that was added here is in it;
    one that was removed here is not."""

    def one[Part](was: Part, here: Part, coming: Part) -> Part:
        return here if coming == was else coming

    def rows(was: Mapping[str, Any], here: Mapping[str, Any], coming: Mapping[str, Any]) -> dict[str, Any]:
        found = {name: one(was.get(name), here.get(name), coming.get(name)) for name in {**coming, **here}}
        return {name: row for name, row in found.items() if row is not None}

    parts: dict[str, Any] = {}
    for name in [field.name for field in fields(Pack)]:
        whole = name in ("ruleset", "source", "requires")  # one row each, or a list that counts as one
        parts[name] = (one if whole else rows)(*(getattr(pack, name) for pack in (was, here, coming)))
    return Pack(**parts)
