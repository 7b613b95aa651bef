"""A pack taken into homebrew: its entries under names of that homebrew's own, in the working copy, not published."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, replace
from typing import Any

from django.db import DataError, IntegrityError

from rules.entries import KINDS, LONGEST_TEXT, MOST_ENTRIES
from rules.homebrew import tag_of
from rules.models import Circumstance, Element, Resource, Source, Stat
from rules.models.ruleset import HOMEBREW
from rules.publications import edited

from . import columns as cols
from .check import Reader, lines_in, too_many_lines
from .export import files_of
from .load import PackError, _write
from .source_rows import Pack, read_source

LONGEST = {Element: 80, Stat: 80, Resource: 60, Circumstance: 80}
MOST_LINES = 40 * MOST_ENTRIES  # of all entries together; those of the core rules have two each
ONLY_ENTRIES = "a table takes in entries, with their statistics and circumstances; {} stay with the rules of the game"


def pack_of(files: Mapping[str, bytes], ruleset: str) -> Pack:
    """The pack, where homebrew of this ruleset can take it in as far as its files alone tell: no row is locked
    meanwhile. Raises PackError with every problem."""
    reader = Reader(files, MOST_LINES)
    pack = reader.pack
    for table, rows in {"switches": pack.switches, "events": pack.events, "timings": pack.timings,
                        "lookups": pack.lookups}.items():  # fmt: skip
        if rows:
            reader.problems.append(f"{table}.yaml:1: {ONLY_ENTRIES.format(table)}")
    for ref, line in reader.lines.items():
        if ref.partition(":")[0] not in KINDS:
            reader.problems.at(line, f"{ref}: nothing of this kind is made at a table")
        elif longest(pack.elements[ref]) > LONGEST_TEXT:
            reader.problems.at(line, f"{ref}: a text is longer than {LONGEST_TEXT} characters")
    if pack.ruleset and pack.ruleset.get("slug") != ruleset:
        reader.problems.append("source.yaml:1: this pack is for another game")
    if reader.problems:
        raise PackError(reader.problems)
    return pack


def adopt(pack: Pack, source: Source) -> None:
    """Write the entries of a pack into `source`; part of the caller's transaction. Raises PackError with every problem.

    No id and no name is taken over as it is: what was made in another homebrew gets this one's tag, so the same pack
    taken in twice replaces itself, and meets nothing of anyone else's.
    """
    own = read_source(source)
    merged = together(own, renamed(pack, tag_of(source)))
    if len(merged.elements) > MOST_ENTRIES:
        raise PackError([f"source.yaml:1: that would be more than {MOST_ENTRIES} entries, which is the most"])
    if lines_in([*merged.stats.values(), *merged.circumstances.values(), *merged.elements.values()]) > MOST_LINES:
        raise PackError([too_many_lines(MOST_LINES)])
    try:
        _write(Reader({name: text.encode() for name, text in files_of(merged).items()}), "", published=False)
    except (IntegrityError, DataError) as error:
        raise PackError([f"source.yaml:1: the database refuses it: {error}"]) from error
    edited(source.pk)


def longest(value: object) -> int:
    """The length of the longest text in a row and in the rows that it holds."""
    if isinstance(value, str):
        return len(value)
    inner = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    return max(map(longest, inner), default=0)


def together(own: Pack, other: Pack) -> Pack:
    """The entries of both; where they have the same name, the other's."""
    return replace(
        own,
        requires=sorted({*own.requires, *other.requires}),
        stats=own.stats | other.stats,
        circumstances=own.circumstances | other.circumstances,
        elements=own.elements | other.elements,
    )


def renamed(pack: Pack, tag: str) -> Pack:
    """The pack with this tag at the end of every name that it defines, in place of another homebrew's."""
    slug = pack.source["slug"]
    before = slug.removeprefix(HOMEBREW) if slug.startswith(HOMEBREW) else ""

    def tagged(name: str, most: int) -> str:
        plain = name.removesuffix(f"-{before}").replace(f"-{before}.", ".") if before else name
        return f"{plain[: most - len(tag) - 1].rstrip('-.')}-{tag}"

    names: dict[type, dict[str, str]] = {
        Stat: {key: tagged(key, LONGEST[Stat]) for key in pack.stats},
        Circumstance: {one: tagged(one, LONGEST[Circumstance]) for one in pack.circumstances},
        Resource: {
            line["slug"]: tagged(line["slug"], LONGEST[Resource])
            for row in pack.elements.values()
            for line in row["resources"]
        },
        Element: {},
    }
    for ref in pack.elements:
        kind, _, name = ref.partition(":")
        names[Element][ref] = f"{kind}:{tagged(name, LONGEST[Element])}"

    def pointed(row: dict, columns: Iterable[cols.Column]) -> dict:
        """The row with what it names of this pack under the new names."""
        found: dict[str, Any] = dict(row)
        for column in columns:
            if column.target in names:
                found[column.key] = names[column.target].get(row[column.key], row[column.key])
        if row.get("test") == "resource_empty":
            found["word"] = names[Resource].get(row["word"], row["word"])
        return found

    def entry(ref: str, row: dict) -> dict:
        found = pointed(row, [*cols.ELEMENT, *cols.OF_KIND.get(ref.partition(":")[0], ())])
        found |= {"slug": names[Element][ref].partition(":")[2], "was": ""}
        found["groups"] = [names[Element].get(one, one) for one in row["groups"]]
        for part, columns in cols.PARTS.items():
            found[part] = [pointed(line, columns) for line in row[part]]
        for line in found["resources"]:
            line["slug"] = names[Resource][line["slug"]]
        for line in found["choices"]:
            line["options"] = [names[Element].get(one, one) for one in line["options"]]
            line["stats"] = [names[Stat].get(one, one) for one in line["stats"]]
        return found

    return Pack(
        **asdict(pack)
        | {
            "stats": {names[Stat][key]: pointed(row, cols.STAT) | {"key": names[Stat][key]}
                      for key, row in pack.stats.items()},
            "circumstances": {
                names[Circumstance][slug]: row
                | {
                    "slug": names[Circumstance][slug],
                    "tests": [pointed(test, cols.CIRCUMSTANCE_TEST) for test in row["tests"]],
                }
                for slug, row in pack.circumstances.items()
            },
            "elements": {names[Element][ref]: entry(ref, row) for ref, row in pack.elements.items()},
        }
    )  # fmt: skip
