"""Reads YAML files into the plain form of a pack, and reports every mistake with file and line."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models

from rules.contradictions import IN_VAIN, NO_TESTS, contradicting, lacks_tests
from rules.models import (
    Action,
    Armor,
    Choice,
    CircumstanceTest,
    Condition,
    Effect,
    Element,
    LookupRow,
    Prerequisite,
    PropertyUse,
    Recovery,
    Resource,
    RestEvent,
    Ruleset,
    Source,
    Stat,
    Suggestion,
    Switch,
    Weapon,
)
from rules.models.vocabulary import EffectKind

from . import columns as cols
from .columns import Column, PlainRow
from .constraints import broken
from .names import label
from .scalars import READERS, type_of
from .source_rows import Pack
from .yaml_files import Problems, YamlValue, read_file

MOST_ROWS = 10_000  # entries of a pack; the core rules have 500
MOST_LINES = 40_000  # entries of a pack and all rows in their lists; the core rules have 1,200
MOST_LISTED = 500  # in one list of an entry; the longest of the core rules has 64
PART_MODELS = {
    **dict.fromkeys(EffectKind.values, Effect),
    "choices": Choice,
    "requires": Prerequisite,
    "resources": Resource,
    "recoveries": Recovery,
    "actions": Action,
    "properties": PropertyUse,
}
# Models that check several columns of a row together, in addition to their constraints.
CHECKED_TOGETHER = (Action, Effect, Recovery, Prerequisite, CircumstanceTest, Stat, Switch, Weapon, Armor, Condition)


type Reference = tuple[YamlValue, type[models.Model], str, str]  # its place; the model, name and kind it must have


class PackReader:
    """Reads the files of a pack, given by name. The result is `pack`, `problems`, and the line of each entry."""

    def __init__(self, files: Mapping[str, bytes], most_lines: int = MOST_LINES):
        self.problems = Problems()
        self.pack = Pack()
        self.references: list[Reference] = []
        self.defined: dict[tuple[type[models.Model], str], YamlValue] = {}
        self.lines: dict[str, YamlValue] = {}  # element ref -> its place in a file
        self.edges: dict[tuple[str, str], YamlValue] = {}  # rows that compute one stat from another
        self.used_once: dict[tuple[models.Field, str], YamlValue] = {}
        self.choice_keys: dict[str, YamlValue] = {}
        documents = {name: self.document(name, data) for name, data in sorted(files.items())}
        self.source_file(documents.pop("source.yaml", None))
        if sum(len(one.data) for one in documents.values() if one and isinstance(one.data, list)) > MOST_ROWS:
            self.problems.append(f"source.yaml:1: a pack has at most {MOST_ROWS:,} entries; split it into several")
            return
        if sum(map(lines_in, documents.values())) > most_lines:
            self.problems.append(too_many_lines(most_lines))
            return
        for name, document in documents.items():
            if (table := name.removesuffix(".yaml")) in cols.TABLES:
                self.table(document, table)
            elif name in cols.FILES:
                for place, value in enumerate(self.entries(document), 1):
                    self.element(value, cols.FILES[name], place)

    def document(self, name: str, data: bytes) -> YamlValue | None:
        if name in cols.ALL_FILES:
            return read_file(name, data, self.problems)
        self.problems.append(f"{name[:80]}:1: a pack has no such file; its files are {', '.join(cols.ALL_FILES)}")
        return None

    def source_file(self, document: YamlValue | None) -> None:
        if document is None:
            self.problems.append("source.yaml:1: the pack has no source.yaml, or it is empty")
            return
        parts = self.mapping(document, {"ruleset", "source"})
        for key in {"ruleset", "source"} - set(parts):
            self.problems.at(document, f"`{key}` is missing")
        if "ruleset" in parts:
            self.pack.ruleset = self.row(parts["ruleset"], Ruleset, cols.RULESET, optional={"name", "game"})
        if "source" in parts:
            self.pack.source = self.row(parts["source"], Source, cols.SOURCE, more={"requires"})
            self.pack.requires = sorted(self.texts(self.at(parts["source"], "requires")))

    # The shapes of YAML

    def mapping(self, value: YamlValue, known: Iterable[str]) -> dict[str, YamlValue]:
        if not isinstance(value.data, dict):
            self.problems.at(value, "this must be a mapping of keys to values")
            return {}
        for key in value.data:
            if key not in known:
                self.problems.at(value.data[key], f"`{key}` is not known here; known: {', '.join(sorted(known))}")
        return {key: part for key, part in value.data.items() if key in known}

    def entries(self, value: YamlValue | None) -> list[YamlValue]:
        if value is None or value.data == "":
            return []
        if not isinstance(value.data, list):
            self.problems.at(value, "this must be a list")
            return []
        return value.data

    def items(self, value: YamlValue | None) -> list[YamlValue]:
        """A list within an entry. One that is too long is a mistake, and counts as empty."""
        items = self.entries(value)
        if value and len(items) > MOST_LISTED:
            self.problems.at(value, f"a list has at most {MOST_LISTED} lines, and this has {len(items):,}")
            return []
        return items

    def at(self, value: YamlValue, key: str) -> YamlValue | None:
        return value.data.get(key) if isinstance(value.data, dict) else None

    def texts(self, value: YamlValue | None, named: type[models.Model] | None = None) -> list[str]:
        """A list of words, each only once. named: the model of the rows they refer to, if they do."""
        found: dict[str, None] = {}
        for item in self.items(value):
            if not isinstance(item.data, str) or not item.data:
                self.problems.at(item, "this must be a word")
            elif item.data in found:
                self.problems.at(item, f"{item.data} is listed twice")
            else:
                found[item.data] = None
                if named:
                    self.reference(item, item.data, named)
        return list(found)

    # Rows

    def row(
        self,
        value: YamlValue,
        model: type[models.Model],
        columns: Iterable[Column],
        *,
        more: Iterable[str] = (),
        optional: Iterable[str] = (),
        **fixed: Any,
    ) -> PlainRow:
        """The row in plain form. Each fault becomes a problem, and the column gets its default.

        more: further keys, which the caller reads. fixed: fields that the constraints need and the file lacks.
        """
        columns = tuple(columns)
        before = len(self.problems)
        given = self.mapping(value, {*(column.key for column in columns), *more})
        row: PlainRow = {}
        for column in columns:
            if column.key in given:
                row[column.key] = self.scalar(given[column.key], column)
            else:
                row[column.key] = column.default
                if column.required and column.key not in optional and isinstance(value.data, dict):
                    self.problems.at(value, f"`{column.key}` is missing")
        if len(self.problems) == before:
            self.constraints(value, model, columns, row, fixed)
        return row

    def constraints(
        self, value: YamlValue, model: type[models.Model], columns: Iterable[Column], row: PlainRow, fixed: PlainRow
    ) -> None:
        values = {field.name: field.get_default() for field in model._meta.concrete_fields}
        for column in columns:
            values[column.field.name] = None if column.target and row[column.key] == "" else row[column.key]
        values |= fixed
        messages = broken(model, values)
        if not messages and model in CHECKED_TOGETHER:
            instance = model()
            for field in model._meta.concrete_fields:
                present = values[field.name]
                setattr(instance, field.attname, (None if present is None else 0) if field.is_relation else present)
            try:
                instance.clean()
            except ValidationError as error:
                for name, reasons in error.message_dict.items():
                    messages += [f"{name}: {reason}" for reason in reasons]
        for message in messages:
            self.problems.at(value, message)

    def scalar(self, value: YamlValue, column: Column) -> Any:
        field = column.field
        if isinstance(field, models.JSONField):
            return self.texts(value)
        if not isinstance(value.data, str):
            self.problems.at(value, f"`{column.key}` must be a single value")
            return column.default
        if column.target:
            if field.unique and value.data:
                self.once(self.used_once, (field, value.data), value, f"{value.data} is already used")
            return self.reference(value, value.data, column.target, column.kind)
        try:
            plain = READERS[type_of(field)](value.data, field)
            field.run_validators(plain)
        except ValidationError as error:
            self.problems.at(value, f"`{column.key}`: {' '.join(error.messages)}")
            return column.default
        return plain

    def reference(self, value: YamlValue, name: str, model: type[models.Model], kind: str = "") -> str:
        if name:
            self.references.append((value, model, name, kind))
        return name

    def once[Key](self, seen: dict[Key, YamlValue], key: Key, value: YamlValue, said: str) -> None:
        """Remember the place of a key. One that was seen before is a problem: the sentence `said`, with the place."""
        first = seen.setdefault(key, value)
        if first is not value:
            self.problems.at(value, f"{said} in {first.file}:{first.line}")

    def define(self, value: YamlValue, model: type[models.Model], name: str) -> None:
        self.once(self.defined, (model, name), value, f"{label(model)} {name} is already")

    # Tables and elements

    def table(self, document: YamlValue | None, name: str) -> None:
        model, columns = cols.TABLES[name]
        [key] = cols.NATURAL[model]
        more, add = {
            "circumstances": ({"tests"}, self.circumstance),
            "events": ({"includes"}, self.event),
            "lookups": ({"rows"}, self.lookup),
        }.get(name, ((), lambda value, row: None))
        for place, value in enumerate(self.entries(document), 1):
            row = self.row(value, model, columns, more=more)
            if "sort" in row and not self.at(value, "sort"):
                row["sort"] = place * cols.SORT_STEP
            add(value, row)
            if row[key]:
                self.define(value, model, row[key])
                getattr(self.pack, name).setdefault(row[key], row)

    def circumstance(self, value: YamlValue, row: PlainRow) -> None:
        listed = self.at(value, "tests")
        if lacks_tests(row["detection"], listed.data if listed else ()):
            self.problems.at(value, NO_TESTS)
        tests = [(test, self.row(test, CircumstanceTest, cols.CIRCUMSTANCE_TEST)) for test in self.items(listed)]
        self.none_in_vain(tests)
        row["tests"] = [test for _, test in tests]

    def event(self, value: YamlValue, row: PlainRow) -> None:
        row["includes"] = sorted(self.texts(self.at(value, "includes"), RestEvent))

    def lookup(self, value: YamlValue, row: PlainRow) -> None:
        rows = [(item, self.row(item, LookupRow, cols.LOOKUP_ROW)) for item in self.items(self.at(value, "rows"))]
        self.no_repeats([(item, line["at"]) for item, line in rows])
        row["rows"] = sorted((line for _, line in rows), key=lambda line: line["at"] or 0)

    def none_in_vain(self, tests: list[tuple[YamlValue, PlainRow]]) -> None:
        rows = [row for _, row in tests]
        # Only the pack with a house rule knows whether it is a list, so `rules.lint`, which has all packs, checks this.
        number = contradicting(rows, lists={row["switch"] for row in rows})
        if number is not None:
            self.problems.at(tests[number][0], IN_VAIN)

    def no_repeats(self, named: list[tuple[YamlValue, object]]) -> None:
        seen = set()
        for value, name in named:
            if name in seen:
                self.problems.at(value, f"{name} is here twice")
            seen.add(name)

    def element(self, value: YamlValue, kind: str, place: int) -> None:
        own = cols.OF_KIND.get(kind, ())
        keys = {column.key for column in own}
        more = {"groups", "suggestions", *cols.PARTS}
        row = self.row(value, Element, cols.ELEMENT, more=more | keys, kind=kind)
        if own and isinstance(value.data, dict):
            its = YamlValue({key: item for key, item in value.data.items() if key in keys}, value.file, value.line)
            row |= self.row(its, own[0].field.model, own)
        if not self.at(value, "sort"):
            row["sort"] = place * cols.SORT_STEP
        ref = f"{kind}:{row['slug']}"
        row["groups"] = sorted(self.texts(self.at(value, "groups"), Element))
        for part, columns in cols.PARTS.items():
            row[part] = self.part(value, ref, part, columns)
        row["suggestions"] = self.suggestions(self.at(value, "suggestions"))
        if row["slug"]:
            self.define(value, Element, ref)
            self.lines.setdefault(ref, value)
            self.pack.elements.setdefault(ref, row)

    def part(self, value: YamlValue, ref: str, part: str, columns: Iterable[Column]) -> list[PlainRow]:
        more = {"options", "stats"} if part == "choices" else ()
        fixed = {"owner": ref, "item": ref} | ({"kind": part} if part in cols.EFFECTS else {})
        rows = []
        for item in self.items(self.at(value, part)):
            row = self.row(item, PART_MODELS[part], columns, more=more, **fixed)
            rows.append((item, row))
            if part == "choices":
                self.choice(item, ref, row)
            elif part == "resources" and row["slug"]:
                self.define(item, Resource, row["slug"])
            elif part == "modify" and row["of_stat"]:
                self.edges.setdefault((row["stat"], row["of_stat"]), item)
        if part in cols.NAMED_BY:
            self.no_repeats([(item, row[cols.NAMED_BY[part]]) for item, row in rows])
        if part == "requires":
            self.none_in_vain(rows)
        if part == "resources":  # they are not ordered
            rows.sort(key=lambda pair: pair[1]["slug"])
        return [row for _, row in rows]

    def choice(self, value: YamlValue, ref: str, row: PlainRow) -> None:
        for key, model in (("options", Element), ("stats", Stat)):
            row[key] = self.texts(self.at(value, key), model)
        key = f"{ref.partition(':')[2]}.{row['slug']}"
        self.once(self.choice_keys, key, value, f"choice {key} is already")

    def suggestions(self, value: YamlValue | None) -> dict[str, list[PlainRow]]:
        if value is None:
            return {}
        return {
            aspect: [self.suggestion(item, aspect) for item in self.items(rows)]
            for aspect, rows in sorted(self.mapping(value, cols.SUGGESTED).items())
        }

    def suggestion(self, value: YamlValue, aspect: str) -> PlainRow:
        """`{text: ..., tag: ...}`, or the text alone."""
        if isinstance(value.data, str):
            value = YamlValue({"text": value}, value.file, value.line)
        return self.row(value, Suggestion, cols.SUGGESTION, aspect=aspect, number=1)


def lines_in(value: object) -> int:
    """The number of rows and words in the lists of this value, however deep."""
    if isinstance(value, YamlValue):
        value = value.data
    inner = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    return (len(value) if isinstance(value, list) else 0) + sum(map(lines_in, inner))


def too_many_lines(most: int) -> str:
    return f"source.yaml:1: there are more than {most:,} lines: entries, and everything in their lists"
