"""From an author's lines to rows, and from an entry's rows back to lines."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import chain

from django.contrib.admin.utils import NestedObjects
from django.db import DEFAULT_DB_ALIAS
from django.db.models import Model

from rules import models
from rules.engine.phrases import counts_levels

from .entry_rows import PLACE, Rows, RowSentence
from .roll_lines import for_its_own
from .sentences import GRANTS, patterns_of
from .spellings import advice_for, respelled
from .words import NotUnderstood, Words, level_shape

MOST_LINES = 20
MOST_READ_BACK = 40  # an entry with more rows is edited row by row
# These stay when a row's sentence changes: its key, its place, and the name that others know it by.
UNMOVED = PLACE | {"slug", "key", "ruleset", "source"}
SIGN = re.compile(r"(?:^(?:an? )?|(?<=: ))([+−–-]) ?(?=\d)")  # of a number, as people type it


def lines_of(entry: models.Element) -> list[RowSentence]:
    """The sentences of `entry` that can be edited; empty if it has too many rows. A row that fits no pattern is in no
    sentence, and no row is in two."""
    rows = Rows(entry)
    if not entry.pk or len(rows.effects) + len(rows.actions) > MOST_READ_BACK:
        return []
    sentences = [sentence for pattern in patterns_of(rows.level) for sentence in pattern.sentences(rows)]
    said: set[tuple[type[Model], int]] = set()
    lines = []
    for line in sorted(sentences, key=lambda line: -len(line.rows)):
        keys = {_key(row) for row in line.rows}
        if not keys & said:
            said |= keys
            lines.append(line)
    parts = rows.requirements, rows.effects, rows.choices, rows.resources, rows.actions
    places = {_key(row): at for at, row in enumerate(chain.from_iterable(parts))}
    return sorted(lines, key=lambda line: min(places.get(_key(row), len(places)) for row in line.rows))


@dataclass
class Edit:
    """The difference between an entry's lines and the lines that an author has now written."""

    entry: models.Element
    new: list[RowSentence] = field(default_factory=list)
    changed: list[tuple[RowSentence, RowSentence]] = field(default_factory=list)  # the old one, and its replacement
    gone: list[RowSentence] = field(default_factory=list)
    stored: list[Model] = field(default_factory=list)  # after `write`: the rows of its new and changed sentences

    @property
    def written(self) -> list[RowSentence]:
        """The new lines, and the changed lines in their new form."""
        return [*self.new, *(instead for _, instead in self.changed)]

    @property
    def rows(self) -> list[Model]:
        """The rows of all new and changed lines, in their new form."""
        return [row for line in self.written for row in line.rows]

    @property
    def replaced(self) -> list[Model]:
        """The stored rows that change or are deleted."""
        return [row for line in [*self.gone, *(line for line, _ in self.changed)] for row in line.rows]

    @property
    def leaving(self) -> list[Model]:
        """The stored rows that will be deleted, those that point at others first."""
        pairs = [pair for line, instead in self.changed for pair in _pairs(line.rows, instead.rows)]
        left = [row for row, becomes in pairs if becomes is None]
        return [*reversed(left), *(row for line in self.gone for row in reversed(line.rows))]

    def hindrances(self) -> list[str]:
        """The rows and new lines, as text, that would still point at rows to be deleted."""
        leaving, replaced, found = self.leaving, self.replaced, []
        for row in leaving:
            if isinstance(row, models.Effect | models.Recovery | models.Action | models.Prerequisite):
                continue  # nothing points at these
            collector = NestedObjects(using=DEFAULT_DB_ALIAS)
            collector.collect([row])
            found += [str(one) for one in collector.protected if one not in replaced]
        found += [line.text for line in self.written if any(_points_at(row, leaving) for row in line.rows)]
        return list(dict.fromkeys(found))

    def counted_twice(self) -> list[str]:
        """The names that two counters of the entry would share, one of them in a new or changed line."""
        new = [row.name for row in self.rows if isinstance(row, models.Resource)]
        stored = models.Resource.objects.filter(owner=self.entry.pk)
        names = [*new, *(row.name for row in stored if row not in self.replaced)]
        return [name for name in dict.fromkeys(new) if names.count(name) > 1]

    def write(self) -> None:
        """Store the edit. Rows of a changed sentence are updated, not replaced. New counters come first, because any
        other line may spend them."""
        for line in self.new:
            write([row for row in line.rows if isinstance(row, models.Stat | models.Resource)], self.entry)
        for _, instead in self.changed:
            _rewrite(instead.rows, self.entry)
            self.stored += instead.rows
        for row in self.leaving:
            type(row)._base_manager.filter(pk=row.pk).delete()
        for line in self.new:
            write(line.rows, self.entry)
            self.stored += line.rows


def edit_of(entry: models.Element, before: Sequence[RowSentence], lines: Iterable[str], words: Words) -> Edit:
    """The lines as an edit of those that `entry` had. Raises `NotUnderstood` with the reason for
    each line that cannot be parsed."""
    words.groups.update(models.Prerequisite.objects.filter(owner=entry.pk).values_list("either", flat=True))
    gone, added = list(before), []
    for text in _written(lines):
        unchanged = next((line for line in gone if line.text == text), None)
        if unchanged:
            gone.remove(unchanged)
        else:
            added.append(text)
    new = [RowSentence(text, tuple(rows)) for text, rows in zip(added, _understood(added, words), strict=True)]
    changed = list(_most_alike(gone, new))
    for line, instead in changed:
        _take_places(instead.rows, line.rows)
        gone.remove(line)
        new.remove(instead)
    return Edit(entry, new, changed, gone)


def _most_alike(old: Iterable[RowSentence], new: Iterable[RowSentence]) -> Iterator[tuple[RowSentence, RowSentence]]:
    """Pairs of an old and a new sentence with rows of the same kind, the most similar first. No sentence is in two
    pairs."""
    pairs = [(line, instead) for line in old for instead in new if _kinds(line) & _kinds(instead)]
    pairs.sort(key=lambda pair: SequenceMatcher(None, pair[0].text, pair[1].text).ratio(), reverse=True)
    paired: list[RowSentence] = []
    for line, instead in pairs:
        if line not in paired and instead not in paired:
            paired += line, instead
            yield line, instead


def _kinds(line: RowSentence) -> set[type[Model]]:
    return {type(row) for row in line.rows}


def write(rows: Sequence[Model], entry: models.Element) -> None:
    """Store the rows for `entry`, after those it has. If it is a weapon and a row changes attacks, the row changes only
    attacks with it."""
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
    found: dict[int, list[Model]] = {}
    refused: dict[int, str] = {}
    # First those with uses, which other lines may spend.
    for place, line in sorted(
        enumerate(lines), key=lambda numbered: " back after " not in respelled(numbered[1], words.level).lower()
    ):
        try:
            found[place] = _rows_of(line, words)
        except NotUnderstood as refusal:
            refused[place] = str(refusal)
    if refused:
        raise NotUnderstood(*(refused[place] for place in sorted(refused)))
    return [found[place] for place in sorted(found)]


def _rows_of(line: str, words: Words) -> list[Model]:
    plain = SIGN.sub(lambda sign: "+" if sign[1] == "+" else "-", line)
    spelled, refused = respelled(plain, words.level), ""
    for said in dict.fromkeys([plain, spelled]):
        at_level = re.match(f"((from|at) )?{level_shape(words.level)} ", said, re.IGNORECASE)
        if at_level and words.kind and not counts_levels(words.kind):
            raise NotUnderstood(f"“{line}”: Here it begins at a rank. Write “from rank”.")
        for one in patterns_of(words.level):
            if match := one.shape.fullmatch(said):
                try:
                    return one.rows(words, match)
                except NotUnderstood as refusal:
                    refused = str(refusal)
                    break
    if refused.startswith("No ") and " and " in spelled:
        refused += " If these are two things, write each on a line of its own."
    if refused := refused or advice_for(words, spelled, GRANTS):
        raise NotUnderstood(f"“{line}”: {refused}")
    raise NotUnderstood(
        f"“{line}” is not one of the sentences listed here. Complete one of them, or write it in the text."
    )


def _points_at(row: Model, others: Sequence[Model]) -> bool:
    return any(getattr(row, field.name, None) in others for field in row._meta.concrete_fields if field.is_relation)


def _key(row: Model) -> tuple[type[Model], int]:
    return row._meta.concrete_model, row.pk


def _pairs(rows: Iterable[Model], others: Iterable[Model]) -> Iterator[tuple[Model, Model | None]]:
    """Each row with its counterpart in the other sentence, or None: of each kind the first with the first, and so
    on."""
    left = list(others)
    for row in rows:
        same = next((one for one in left if type(one) is type(row)), None)
        left = [one for one in left if one is not same]
        yield row, same


def _take_places(new: Sequence[Model], old: Sequence[Model]) -> None:
    """Give each new row the key, place and name of its counterpart, which it then replaces. The statistic of uses stays
    as it is, since a line says only the name of the uses."""
    now, before = ([row.name for row in rows if isinstance(row, models.Resource)] for rows in (new, old))
    for row, stored in _pairs(new, old):
        of_uses = isinstance(row, models.Stat) and now and before
        for column in row._meta.concrete_fields if stored else ():
            if column.name in UNMOVED or (of_uses and (column.name != "name" or now == before)):
                setattr(row, column.attname, getattr(stored, column.attname))


def _rewrite(rows: Sequence[Model], entry: models.Element) -> None:
    """Store the rows of a changed sentence. A row that took an old row's place replaces it; the others are added."""
    for row in rows:
        if row.pk is None:
            write([row], entry)
            continue
        if isinstance(row, models.Effect):
            row.this_item_only = for_its_own(row, entry)
        if not isinstance(row, models.Stat):
            row.owner = entry
        row.save()
