"""Writes a source of the database as the files of a pack. Loading and exporting them again gives the same bytes."""

from collections.abc import Iterable
from pathlib import Path

from rules.models import Source

from . import columns as cols
from .columns import Column, PlainRow
from .source_rows import Pack, read_source
from .yaml_text import Block, document, tidy

# Names the schema of the file (rules/packs/schema.py) for editors with YAML support. Its folder is next to the pack's.
HEADER = "# yaml-language-server: $schema=../schema/{}.json\n"


def export_rules(source: Source, folder: Path) -> list[Path]:
    """Write the files of `source` into `folder`, delete pack files that are no longer needed, and return the names
    written."""
    files = files_of(read_source(source))
    folder.mkdir(parents=True, exist_ok=True)
    for name in set(cols.ALL_FILES) - files.keys():
        (folder / name).unlink(missing_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
    return [folder / name for name in files]


def files_of(pack: Pack) -> dict[str, str]:
    """File name -> text. There is no file for kinds that the source does not have."""
    return {name: HEADER.format(name.removesuffix(".yaml")) + text for name, text in documents_of(pack).items()}


def documents_of(pack: Pack) -> dict[str, str]:
    files = {"source.yaml": document(source_file(pack))}
    for table, (_, columns) in cols.TABLES.items():
        if rows := in_order(getattr(pack, table).values()):
            files[f"{table}.yaml"] = document([table_row(row, columns, at) for at, row in enumerate(rows, 1)])
    for name, kind in cols.FILES.items():
        if rows := in_order(pack.of_kind(kind).values()):
            files[name] = document([element(row, kind, at) for at, row in enumerate(rows, 1)])
    return files


def in_order(rows: Iterable[PlainRow]) -> list[PlainRow]:
    return sorted(rows, key=lambda row: (row.get("sort", 0), row.get("slug") or row.get("key")))


def source_file(pack: Pack) -> PlainRow:
    is_core = pack.source["is_core"]
    ruleset = [column for column in cols.RULESET if is_core or column.key == "slug"]
    source = row_of(pack.source, cols.SOURCE)
    if pack.requires:
        source["requires"] = pack.requires
    return {"ruleset": row_of(pack.ruleset, ruleset), "source": source}


def row_of(row: PlainRow, columns: Iterable[Column], leave_out: PlainRow | None = None) -> PlainRow:
    """A row as in the file: its columns in order, without those at their default."""
    shown = {}
    for column in columns:
        value = row[column.key]
        if column.key == "cost_class":
            value = cols.COST_WORDS[value]
        if isinstance(value, str):
            value = tidy(value)
        default = column.default
        if column.key == "cost_class":
            default = cols.COST_WORDS[default]
        if leave_out and column.key in leave_out:
            default = leave_out[column.key]
        if column.required or value != default:
            shown[column.key] = value
    return shown


def table_row(row: PlainRow, columns: Iterable[Column], at: int) -> PlainRow:
    shown = row_of(row, columns, {"sort": at * cols.SORT_STEP})
    if row.get("tests"):
        shown["tests"] = [row_of(test, cols.CIRCUMSTANCE_TEST) for test in row["tests"]]
    if row.get("includes"):
        shown["includes"] = row["includes"]
    if row.get("rows"):
        shown["rows"] = [row_of(line, cols.LOOKUP_ROW) for line in row["rows"]]
    return shown


def element(row: PlainRow, kind: str, at: int) -> PlainRow:
    shown = row_of(row, cols.ELEMENT, {"sort": at * cols.SORT_STEP})
    if "text" in shown:
        shown["text"] = Block(shown["text"])
    if row["groups"]:
        shown["groups"] = row["groups"]
    shown |= row_of(row, cols.OF_KIND.get(kind, ()))
    for part, columns in cols.PARTS.items():
        if row[part]:
            shown[part] = [part_row(line, columns) for line in row[part]]
    if row["suggestions"]:
        shown["suggestions"] = {
            aspect: [
                row_of(line, cols.SUGGESTION) if line["tag"] else tidy(line["text"])
                for line in row["suggestions"][aspect]
            ]
            for aspect in cols.SUGGESTED
            if aspect in row["suggestions"]
        }
    return shown


def part_row(row: PlainRow, columns: Iterable[Column]) -> PlainRow:
    shown = row_of(row, columns)
    for key in ("options", "stats"):
        if row.get(key):
            shown[key] = row[key]
    return shown
