"""The difference between two packs, in sentences for an author: rows added, removed, retired or changed.

Packs are compared as plain rows (`source_rows.Pack`), whether they are from the database, files or a publication. In a
pack that is older than a column, the column counts as its default.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from django.db import models

from rules.engine import content, item_words, sentence
from rules.engine.phrases import NamesByHand, first_up, name_of, number, quoted
from rules.models.vocabulary import Kind, Status

from . import columns as cols
from . import engine_rows
from .columns import Column, PlainRow
from .names import label
from .source_rows import Pack

ADDED, CHANGED, RETIRED, REMOVED = "added", "changed", "retired", "removed"


class MovedPart(NamedTuple):
    """One part of a row that differs: before and after, as sentences or values.

    Both are empty if only the order of the same rows differs.
    """

    label: str
    before: tuple[str, ...]
    after: tuple[str, ...]

    def __str__(self) -> str:
        if not (self.before or self.after):
            return f"{first_up(self.label)}: in another order"
        words = [
            f"{word} {quoted(' '.join(said))}" for word, said in (("was", self.before), ("now", self.after)) if said
        ]
        return f"{first_up(self.label)}: {', '.join(words)}"


class RowDifference(NamedTuple):
    """A row that differs. kind: in words, "talent" or "statistic". key: its ref, key or slug.

    how: added, changed, retired or removed. moved: the parts that differ; of an added or removed row, all. draft: not
    for players yet.
    """

    how: str
    kind: str
    key: str
    name: str
    moved: tuple[MovedPart, ...]
    draft: bool = False

    def __str__(self) -> str:
        name = f"{self.kind}{' draft' if self.draft else ''} {quoted(self.name)}"
        match self.how:
            case "added":
                return f"New {name}"
            case "removed":
                return f"{first_up(name)} is removed"
            case "retired":
                return f"{first_up(name)} is retired"
        return f"{first_up(name)} is changed: {', '.join(moved.label for moved in self.moved)}"


class Table(NamedTuple):
    """The rows of one kind in both packs."""

    kind: str
    before: Mapping[str, PlainRow]
    after: Mapping[str, PlainRow]
    columns: tuple[Column, ...]
    lists: Callable[[str, PlainRow, PlainRow, NamesByHand], Iterator[MovedPart]]


def difference(before: Pack, after: Pack, beneath: Iterable[Pack] = ()) -> tuple[RowDifference, ...]:
    """Every row that differs, by kind in the order of a pack's files. Empty for equal packs.

    beneath: packs with rows that these two refer to, so that sentences can name them. A renamed row has its new name.
    """
    names = names_of([*beneath, before, after])
    return tuple(line for table in tables(before, after) for line in rows(table, names))


def tables(before: Pack, after: Pack) -> Iterator[Table]:
    yield Table("source", named(before.source, before), named(after.source, after), cols.SOURCE, required)
    if after.source.get("is_core"):
        yield Table("game", named(before.ruleset, before), named(after.ruleset, after), cols.RULESET, no_lists)
    for name, (model, columns) in cols.TABLES.items():
        of_table = {"circumstances": tests, "events": includes, "lookups": steps}.get(name, no_lists)
        yield Table(label(model), getattr(before, name), getattr(after, name), columns, of_table)
    for kind in cols.FILES.values():
        columns = (*cols.ELEMENT, *cols.OF_KIND.get(kind, ()))
        yield Table(str(Kind(kind).label), before.of_kind(kind), after.of_kind(kind), columns, parts)


def named(row: PlainRow, pack: Pack) -> dict[str, PlainRow]:
    return {row["slug"]: row | {"requires": pack.requires}} if row else {}


def rows(table: Table, names: NamesByHand) -> Iterator[RowDifference]:
    for key in sorted({*table.before, *table.after}):
        old, new = table.before.get(key), table.after.get(key)
        moved = tuple(differing(table, key, old or {}, new or {}, names))
        how = ADDED if old is None else REMOVED if new is None else CHANGED
        if old and new and new.get("status") == Status.RETIRED != old.get("status"):
            how, moved = RETIRED, tuple(one for one in moved if one.label != "status")
        if moved or how != CHANGED:
            row = new or old or {}
            name, draft = row.get("name") or row.get("title") or key, row.get("status") == Status.DRAFT
            yield RowDifference(how, table.kind, key, name, moved, draft)


def differing(table: Table, key: str, old: PlainRow, new: PlainRow, names: NamesByHand) -> Iterator[MovedPart]:
    """The differences between two rows, by column and then by list. A missing row is `{}`."""
    for column in table.columns:
        if column.key == "sort" and not (old and new):
            continue  # the place of an added or removed row is no difference
        was, now = old.get(column.key, column.default), new.get(column.key, column.default)
        if was != now and column.key not in ("slug", "key"):
            before = values(column, was, names) if old else ()
            after = values(column, now, names) if new else ()
            yield from moved(label_of(column), before, after)
    yield from table.lists(key, old, new, names)


def moved(name: str, before: Sequence[str], after: Sequence[str]) -> Iterator[MovedPart]:
    """The sentences that only one of the two has, if the two differ."""
    if tuple(before) != tuple(after):
        yield MovedPart(name, tuple(without(before, after)), tuple(without(after, before)))


def without(these: Iterable[Any], those: Iterable[Any]) -> list[Any]:
    """`these` without `those`. A sentence that occurs more often in `these` is kept once for each extra time."""
    left = Counter(map(as_key, those))
    found = []
    for one in these:
        if left[as_key(one)]:
            left[as_key(one)] -= 1
        else:
            found.append(one)
    return found


def as_key(one: str | PlainRow) -> str:
    """A key that is the same for equal sentences, and for rows with the same values in any order."""
    return one if isinstance(one, str) else repr(sorted(one.items()))


# Values


# Columns whose keys in files are too short for readers.
LABELS = {
    "sort": "place in lists",
    "page_ref": "page",
    "grant_as": "what it is to them",
    "max_stat": "maximum",
    "is_input": "set by the player",
    "is_core": "always in play",
    "allowed": "values",
    "url": "URL",
    "license_url": "license URL",
    "cost_class": "price",
    "stat": "statistic",
    "op": "how it counts",
    "of_stat": "statistic to add",
    "per": "how often",
    "count_of": "statistic to add to the count",
    "rank_stat": "statistic of the rank",
    "modifier_stat": "statistic of the modifier",
    "filter_kind": "of the kind",
    "filter_group": "of the group",
    "filter_parent": "only its own",
    "fires": "counts as",
    "a": "first number",
    "b": "second number",
}


def label_of(column: Column) -> str:
    return LABELS.get(column.field.name, str(column.field.verbose_name))


def values(column: Column, value: Any, names: NamesByHand) -> tuple[str, ...]:
    """The value in words; a text as its lines; empty for an empty value."""
    if value is None or value == "":
        return ()
    if column.target:
        return (named_thing(str(value), names),)
    if isinstance(value, bool):
        return ("yes" if value else "no",)
    if isinstance(value, list):
        return tuple(value)
    words = dict(column.field.flatchoices)
    if value in words:
        return (str(words[value]),)
    if isinstance(value, int):
        return (number(value),)
    return tuple(line for line in value.split("\n") if line) if isinstance(column.field, models.TextField) else (value,)


class NameOnly(NamedTuple):
    name: str


def names_of(packs: Iterable[Pack]) -> NamesByHand:
    """The names of everything in these packs. If several packs have the same thing, the last one counts."""
    names = NamesByHand()
    for pack in packs:
        for ref, row in pack.elements.items():
            names.elements[ref] = NameOnly(row["name"])
            names.resources |= {line["slug"]: engine_rows.resource(ref, line) for line in row["resources"]}
        names.stats |= {key: engine_rows.as_row(content.Stat, row) for key, row in pack.stats.items()}
        names.switches |= {key: engine_rows.switch(row) for key, row in pack.switches.items()}
        names.events |= {slug: NameOnly(row["name"]) for slug, row in pack.events.items()}
        names.circumstances |= {
            slug: engine_rows.as_row(content.Circumstance, row, tests=()) for slug, row in pack.circumstances.items()
        }
    return names


def named_thing(key: str, names: NamesByHand) -> str:
    """The name of the thing with this ref, key or slug; the key itself if there is none."""
    maps = (names.elements, names.stats, names.circumstances, names.resources, names.events, names.switches)
    return next((name_of(found, key) for found in maps if key in found), key)


# Lists


def no_lists(key: str, old: PlainRow, new: PlainRow, names: NamesByHand) -> Iterator[MovedPart]:
    return iter(())


def required(key: str, old: PlainRow, new: PlainRow, names: NamesByHand) -> Iterator[MovedPart]:
    yield from moved("sources it needs", old.get("requires", ()), new.get("requires", ()))


def includes(key: str, old: PlainRow, new: PlainRow, names: NamesByHand) -> Iterator[MovedPart]:
    was, now = ([name_of(names.events, slug) for slug in row.get("includes", ())] for row in (old, new))
    yield from moved("events it includes", was, now)


def steps(key: str, old: PlainRow, new: PlainRow, names: NamesByHand) -> Iterator[MovedPart]:
    was, now = ([step(row) for row in table.get("rows", ())] for table in (old, new))
    yield from moved("steps", was, now)


def step(row: PlainRow) -> str:
    return f"{number(row['at'])}: {number(row['value'])}" + (f" ({row['label']})" if row["label"] else "")


def tests(key: str, old: PlainRow, new: PlainRow, names: NamesByHand) -> Iterator[MovedPart]:
    yield from part("tests", "", old.get("tests", ()), new.get("tests", ()), names)


def parts(ref: str, old: PlainRow, new: PlainRow, names: NamesByHand) -> Iterator[MovedPart]:
    was, now = ([name_of(names.elements, group) for group in row.get("groups", ())] for row in (old, new))
    yield from moved("groups", was, now)
    for name in cols.PARTS:
        yield from part(name, ref, old.get(name, ()), new.get(name, ()), names)
    for aspect in cols.SUGGESTED:
        was, now = ([tagged(line) for line in row.get("suggestions", {}).get(aspect, ())] for row in (old, new))
        yield from moved(f"suggestions for {aspect}", was, now)


def tagged(row: PlainRow) -> str:
    return f"{row['text']} ({row['tag']})" if row["tag"] else row["text"]


PARTS = {
    "tests": "when it is so",
    "modify": "changes of statistics",
    "roll": "changes of rolls",
    "grant": "what it gives",
    "note": "notes",
    "choices": "questions",
    "requires": "prerequisites",
    "resources": "resources",
    "recoveries": "recoveries",
    "actions": "actions",
    "properties": "properties",
}
# Keys that no sentence mentions, of rows with a name.
UNSAID = {
    "choices": ("options", "stats", "filter_group", "filter_parent", "distinct"),
    "actions": ("text",),
}


def part(
    name: str, ref: str, was: Sequence[PlainRow], now: Sequence[PlainRow], names: NamesByHand
) -> Iterator[MovedPart]:
    """The rows of a list that only one of the two has, as sentences. Values that a sentence leaves out follow in
    parentheses."""
    old, new = without(was, now), without(now, was)
    if not (old or new):
        if list(was) != list(now):
            yield MovedPart(PARTS[name], (), ())
        return
    yield MovedPart(PARTS[name], sentences(name, ref, old, new, names), sentences(name, ref, new, old, names))


def sentences(
    name: str, ref: str, rows: Sequence[PlainRow], others: Sequence[PlainRow], names: NamesByHand
) -> tuple[str, ...]:
    """Each row as a sentence, with values in parentheses that tell it from the same row in `others`: if the sentence is
    the same, all that differ; otherwise those that no sentence mentions."""

    def identity(row: PlainRow, said: str) -> str:
        """The row's name, which stays when the rest of the row changes, or else its sentence."""
        return str(row[cols.NAMED_BY[name]]) if name in cols.NAMED_BY else said

    # Of several with the same identity, the first counts.
    same = {identity(row, said): (row, said) for row, said in with_sentences(name, ref, reversed(others), names)}
    found = []
    for row, said in with_sentences(name, ref, rows, names):
        other, said_of_other = same.get(identity(row, said), (row, said))
        keys = [key for key, value in row.items() if value != other.get(key)]
        if said != said_of_other:
            keys = [key for key in keys if key in UNSAID.get(name, ())]
        found.append(said + details(name, row, keys, names))
    return tuple(found)


def with_sentences(name: str, ref: str, rows: Iterable[PlainRow], names: NamesByHand) -> Iterator[tuple[PlainRow, str]]:
    return ((row, sentence_of(name, ref, row, names)) for row in rows)


def details(name: str, row: PlainRow, keys: Sequence[str], names: NamesByHand) -> str:
    columns = {column.key: column for column in (cols.CIRCUMSTANCE_TEST if name == "tests" else cols.PARTS[name])}
    words = []
    for key in keys:
        if key in columns:
            title, value = label_of(columns[key]), " ".join(values(columns[key], row[key], names))
        else:
            title, value = key, ", ".join(named_thing(one, names) for one in row[key])
        words.append(f"{title}: {value or 'none'}")
    return f" ({'; '.join(words)})" if words else ""


def sentence_of(name: str, ref: str, row: PlainRow, names: NamesByHand) -> str:
    match name:
        case "tests" | "requires":
            return sentence.requirement_sentence(engine_rows.requirement(row), names)
        case "choices":
            return f"{row['prompt']}: {sentence.choice_sentence(engine_rows.choice(ref, row), names)}"
        case "resources":
            return sentence.resource_sentence(engine_rows.resource(ref, row), names)
        case "recoveries":
            return sentence.recovery_sentence(engine_rows.recovery(ref, row), names)
        case "actions":
            return sentence.action_sentence(engine_rows.action(ref, row), names)
        case "properties":
            return item_words.property_phrase(engine_rows.as_row(content.PropertyUse, row), names)
    return sentence.effect_sentence(engine_rows.effect(ref, name, row), names)
