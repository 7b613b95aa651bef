"""From an author's lines to rows, and from an entry's rows back to lines."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from django.contrib.admin.utils import NestedObjects
from django.db import DEFAULT_DB_ALIAS
from django.db.models import Model

from rules import models
from rules.engine.phrases import counts_levels

from .entry_rows import PLACE, Rows
from .sentences import PATTERNS, for_its_own
from .words import NotUnderstood, Words

MOST_LINES = 20
MOST_TOLD = 40  # an entry with more rows is edited row by row, since its lines would fill a page
# When the sentence of a row changes, its place and the name that others know it by stay.
UNMOVED = PLACE | {"slug", "key", "ruleset", "source"}


@dataclass(frozen=True)
class RowSentence:
    """A sentence for some rows of an entry, and those rows in the order in which the sentence makes them."""

    text: str
    rows: tuple[Model, ...]


def lines_of(entry: models.Element) -> list[RowSentence]:
    """The sentences of `entry` that can be edited; none if it has too many rows. Rows that fit no pattern are in none;
    no row is in two."""
    rows = Rows(entry)
    if not entry.pk or len(rows.effects) + len(rows.actions) > MOST_TOLD:
        return []
    told = [RowSentence(text, tuple(found)) for pattern in PATTERNS for text, found in pattern.told(rows)]
    said: set[tuple[type[Model], int]] = set()
    lines = []
    for line in sorted(told, key=lambda line: -len(line.rows)):
        keys = {_key(row) for row in line.rows}
        if not keys & said:
            said |= keys
            lines.append(line)
    places = {_key(row): at for at, row in enumerate([*rows.effects, *rows.choices, *rows.resources, *rows.actions])}
    return sorted(lines, key=lambda line: min(places.get(_key(row), len(places)) for row in line.rows))


def understood(lines: Iterable[str], words: Words) -> list[Model]:
    """The rows of these lines, unsaved. Raises `NotUnderstood` for the first line that cannot be parsed, with the
    reason."""
    return [row for rows in _understood(_written(lines), words) for row in rows]


@dataclass
class Edit:
    """The difference between an entry's lines and those that an author has written instead."""

    entry: models.Element
    new: list[list[Model]] = field(default_factory=list)
    changed: list[tuple[RowSentence, list[Model]]] = field(default_factory=list)
    gone: list[RowSentence] = field(default_factory=list)
    stored: list[Model] = field(default_factory=list)  # after `write`: the rows of its new and changed sentences

    @property
    def rows(self) -> list[Model]:
        """The rows of all new and changed lines, as they will be."""
        return [row for rows in [*self.new, *(rows for _, rows in self.changed)] for row in rows]

    @property
    def replaced(self) -> list[Model]:
        """The stored rows that change or are deleted."""
        return [row for line in [*self.gone, *(line for line, _ in self.changed)] for row in line.rows]

    @property
    def leaving(self) -> list[Model]:
        """The stored rows that are deleted, those that point at others first."""
        left = [row for line, rows in self.changed for row, instead in _pairs(line.rows, rows) if instead is None]
        return [*reversed(left), *(row for line in self.gone for row in reversed(line.rows))]

    def hindrances(self) -> list[str]:
        """The rows that still point at those to be deleted, as text."""
        leaving, found = self.leaving, []
        for row in leaving:
            if isinstance(row, models.Effect | models.Recovery | models.Action):
                continue  # nothing points at these
            collector = NestedObjects(using=DEFAULT_DB_ALIAS)
            collector.collect([row])
            found += [str(one) for one in collector.protected if one not in leaving]
        return list(dict.fromkeys(found))

    def write(self) -> None:
        """Store the edit. Rows of a changed sentence are updated, not created again."""
        self.stored = [row for line, rows in self.changed for row in _rewrite(line.rows, rows, self.entry)]
        for row in self.leaving:
            type(row)._base_manager.filter(pk=row.pk).delete()
        for rows in self.new:
            write(rows, self.entry)
            self.stored += rows


def edit_of(entry: models.Element, before: Sequence[RowSentence], lines: Iterable[str], words: Words) -> Edit:
    """The lines as an edit of those that `entry` had. Raises `NotUnderstood` as `understood` does."""
    written, old = _written(lines), list(before)
    added = []
    for text in written:
        same = next((line for line in old if line.text == text), None)
        if same:
            old.remove(same)
        else:
            added.append(text)
    new = list(zip(added, _understood(added, words), strict=True))
    edit = Edit(entry)
    likeness = [
        (SequenceMatcher(None, line.text, text).ratio(), line, rows)
        for line in old
        for text, rows in new
        if {type(row) for row in line.rows} & {type(row) for row in rows}
    ]
    instead: list[list[Model]] = []
    for _, line, rows in sorted(likeness, key=lambda like: -like[0]):
        if line in old and not any(rows is one for one in instead):
            old.remove(line)
            instead.append(rows)
            edit.changed.append((line, rows))
    edit.gone = old
    edit.new = [rows for _, rows in new if not any(rows is one for one in instead)]
    return edit


def write(rows: Sequence[Model], entry: models.Element) -> None:
    """Store the rows for `entry`, after those that it has. If a weapon changes attacks, it changes only those with
    itself."""
    order = max(entry.effects.values_list("order", flat=True), default=0)
    for row in rows:
        if isinstance(row, models.Stat):
            row.ruleset, row.source = entry.ruleset, entry.source
        else:
            row.owner = entry
        if isinstance(row, models.Effect):
            order += 1
            row.order = order
            row.this_item_only = for_its_own(row, entry)
        row.save()


def _written(lines: Iterable[str]) -> list[str]:
    return [line.strip().rstrip(".") for line in lines if line.strip()]


def _understood(lines: Sequence[str], words: Words) -> list[list[Model]]:
    if len(lines) > MOST_LINES:
        raise NotUnderstood(f"Write at most {MOST_LINES} lines at once.")
    return [_rows_of(line, words) for line in lines]


def _rows_of(line: str, words: Words) -> list[Model]:
    if line.lower().startswith("from level ") and words.kind and not counts_levels(words.kind):
        raise NotUnderstood(f"“{line}”: Here it begins at a rank. Write “from rank”.")
    for one in PATTERNS:
        if match := one.shape.fullmatch(line):
            try:
                return one.rows(words, **match.groupdict())
            except NotUnderstood as refusal:
                raise NotUnderstood(f"“{line}”: {refusal}") from refusal
    raise NotUnderstood(
        f"“{line}” is not one of the sentences listed here. Complete one of them, or write it in the text."
    )


def _key(row: Model) -> tuple[type[Model], int]:
    return row._meta.concrete_model, row.pk


def _pairs(old: Iterable[Model], new: Iterable[Model]) -> Iterator[tuple[Model, Model | None]]:
    """Each old row with the new one that it becomes, or with None; within each kind, in order."""
    left = list(new)
    for row in old:
        instead = next((one for one in left if type(one) is type(row)), None)
        left = [one for one in left if one is not instead]
        yield row, instead


def _rewrite(old: Iterable[Model], new: Iterable[Model], entry: models.Element) -> list[Model]:
    """Update the stored rows to the new ones; new rows without a stored one of their kind are added. Returns the
    rows."""
    becomes = {id(instead): row for row, instead in _pairs(old, new) if instead is not None}
    stored = []
    for one in new:
        columns = [column for column in one._meta.concrete_fields if column.name not in UNMOVED]
        for column in columns:
            value = getattr(one, column.name, None)
            setattr(one, column.name, becomes.get(id(value), value))
        row = becomes.get(id(one))
        if row is None:
            write([one], entry)
            stored.append(one)
            continue
        for column in columns:
            setattr(row, column.name, getattr(one, column.name))
        if isinstance(row, models.Effect):
            row.this_item_only = for_its_own(row, entry)
        if not isinstance(row, models.Stat):
            row.owner = entry
        row.save()
        stored.append(row)
    return stored
