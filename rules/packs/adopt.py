"""Takes a pack into homebrew: its entries go into the working copy, unpublished, with the tag of that homebrew in their
slugs."""

from collections.abc import Mapping
from dataclasses import replace

from django.db import DataError, IntegrityError
from django.db.models import Model

from rules.entries import KINDS, MOST_ENTRIES
from rules.homebrew import tag_of
from rules.models import Circumstance, Element, Resource, Source, Stat
from rules.models.ruleset import HOMEBREW
from rules.publications import edited

from .check import PackReader, lines_in, too_many_lines
from .load import PackError, read_anew, write_pack
from .renaming import renamed
from .source_rows import Pack, read_source

LONGEST = {Element: 80, Stat: 80, Resource: 60, Circumstance: 80}
MOST_LINES = 40 * MOST_ENTRIES  # of all entries together; in the core rules each entry has two
ONLY_ENTRIES = (
    "homebrew takes only entries, with their statistics and circumstances; {} stay with the rules of the game"
)


def pack_of(files: Mapping[str, bytes], ruleset: str) -> Pack:
    """The pack in these files, for homebrew of this ruleset. Raises PackError with every problem that the files alone
    show. Locks no row."""
    reader = PackReader(files, MOST_LINES)
    pack = reader.pack
    for table, rows in {"switches": pack.switches, "events": pack.events, "timings": pack.timings,
                        "lookups": pack.lookups}.items():  # fmt: skip
        if rows:
            reader.problems.append(f"{table}.yaml:1: {ONLY_ENTRIES.format(table)}")
    for ref, line in reader.lines.items():
        if ref.partition(":")[0] not in KINDS:
            reader.problems.at(line, f"{ref}: homebrew has nothing of this kind")
    if pack.ruleset and pack.ruleset.get("slug") != ruleset:
        reader.problems.append("source.yaml:1: this pack is for another game")
    if reader.problems:
        raise PackError(reader.problems)
    return pack


def adopt(pack: Pack, source: Source) -> None:
    """Write the entries of a pack into `source`; part of the caller's transaction. Raises PackError with every problem.

    Every slug and key gets this homebrew's tag in place of another's. So the same pack, taken in again, replaces itself
    and never collides with anyone else's.
    """
    own = read_source(source)
    merged = together(own, tagged(pack, tag_of(source)))
    if len(merged.elements) > MOST_ENTRIES:
        raise PackError([f"source.yaml:1: that would be more than {MOST_ENTRIES} entries, which is the most"])
    if lines_in([*merged.stats.values(), *merged.circumstances.values(), *merged.elements.values()]) > MOST_LINES:
        raise PackError([too_many_lines(MOST_LINES)])
    try:
        write_pack(read_anew(merged), "", published=False)
    except (IntegrityError, DataError) as error:
        raise PackError([f"source.yaml:1: the database refuses it: {error}"]) from error
    edited(source.pk)


def together(own: Pack, other: Pack) -> Pack:
    """The entries of both packs; if a name is in both, the entry of `other`."""
    return replace(
        own,
        requires=sorted({*own.requires, *other.requires}),
        stats=own.stats | other.stats,
        circumstances=own.circumstances | other.circumstances,
        elements=own.elements | other.elements,
    )


def tagged(pack: Pack, tag: str) -> Pack:
    """The pack with this tag at the end of every name that it defines, in place of another homebrew's tag."""
    slug = pack.source["slug"]
    before = slug.removeprefix(HOMEBREW) if slug.startswith(HOMEBREW) else ""

    def name(first: str, model: type[Model]) -> str:
        plain = first.removesuffix(f"-{before}").replace(f"-{before}.", ".") if before else first
        return f"{plain[: LONGEST[model] - len(tag) - 1].rstrip('-.')}-{tag}"

    resources = [line["slug"] for row in pack.elements.values() for line in row["resources"]]
    names: dict[type[Model], dict[str, str]] = {
        model: {one: name(one, model) for one in named}
        for model, named in ((Stat, pack.stats), (Circumstance, pack.circumstances), (Resource, resources))
    }
    names[Element] = {}
    for ref in pack.elements:
        kind, _, slug = ref.partition(":")
        names[Element][ref] = f"{kind}:{name(slug, Element)}"
    found = renamed(pack, names)
    for row in found.elements.values():
        row["was"] = ""
    return found
