"""Checks that everything a pack names exists, once, in the right ruleset, and that no statistics form a ring."""

from collections.abc import Iterable

from django.db.models import Model

from rules.models import Element, Source
from rules.models.vocabulary import EffectKind
from rules.rings import Edge, depths, find_ring

from .check import PackReader
from .names import PackNames, label
from .source_rows import Pack, read_source
from .yaml_files import YamlValue

MOST_SHOWN = 8  # statistics of a ring
# Solving a statistic first solves the one that it is computed from, five calls deeper, and Python allows 1,000 calls.
# The core rules have 4 in a chain.
DEEPEST = 50


def resolve(reader: PackReader, names: PackNames, beneath: list[Source]) -> None:
    """Add unresolved names to the reader's problems. beneath: the sources whose things the pack may name."""
    own = reader.pack.source.get("slug", "")
    for (model, name), value in reader.defined.items():
        if names.owners[model].get(name, own) != own:
            reader.problems.at(value, f"{label(model)} {name} already belongs to source {names.owners[model][name]}")
    readable = {model: names.of_sources(model, [source.slug for source in beneath]) for model in names.owners}
    for value, model, name, kind in reader.references:
        if (model, name) not in reader.defined and name not in readable[model]:
            reader.problems.at(value, f"there is no {label(model)} {name}{elsewhere(model, name, names, own)}")
        elif kind and name.partition(":")[0] != kind:
            reader.problems.at(value, f"{name} is not of kind {kind}")
    ring(reader, [reader.pack, *(read_source(source) for source in beneath)])


def elsewhere(model: type[Model], name: str, names: PackNames, own: str) -> str:
    owner = names.owners[model].get(name)
    if owner and owner != own:
        return f" (source {owner} has it: add it to `requires`)"
    if model is Element and ":" not in name:
        return " (an element is named kind:slug)"
    return ""


def ring(reader: PackReader, packs: list[Pack]) -> None:
    """Report a ring of statistics as a mistake of each row in it."""
    path = find_ring(edges(packs))
    if not path:
        too_deep(reader, packs)
        return
    shown = path if len(path) <= MOST_SHOWN else [*path[: MOST_SHOWN - 1], "…", path[-1]]
    at_rows(reader, {*zip(path, path[1:], strict=False)}, f"statistics would need themselves: {' → '.join(shown)}")


def too_deep(reader: PackReader, packs: list[Pack]) -> None:
    """Report a chain of statistics as a mistake where it becomes too long."""
    deep = depths(edges(packs))
    over = {pair for pair in edges(packs) if [deep[stat] for stat in pair] == [DEEPEST + 1, DEEPEST]}
    if over:
        at_rows(reader, over, f"more than {DEEPEST} statistics would each be worked out from the next")


def at_rows(reader: PackReader, pairs: set[Edge], reason: str) -> None:
    rows = [value for pair, value in reader.edges.items() if pair in pairs]
    for where in rows or [YamlValue("", "stats.yaml", 1)]:
        reader.problems.at(where, reason)


def edges(packs: list[Pack]) -> Iterable[Edge]:
    """Every (stat, stat that it is computed from) of packs that are used together."""
    tested: dict[str, list[str]] = {}
    modifiers: dict[str, str] = {}
    for pack in packs:
        tested |= {slug: [t["stat"] for t in row["tests"] if t["stat"]] for slug, row in pack.circumstances.items()}
        modifiers |= {ref: row["modifier_stat"] for ref, row in pack.elements.items() if ref.startswith("ability:")}
    armor_stat = next((pack.ruleset["armor_stat"] for pack in packs if pack.ruleset.get("armor_stat")), "")
    for pack in packs:
        for key, row in pack.stats.items():
            if row["created_of"]:
                yield key, row["created_of"]
        for row in pack.elements.values():
            for line in row[EffectKind.MODIFY]:
                needed = [line["of_stat"], *tested.get(line["when"], ())]
                yield from ((line["stat"], stat) for stat in needed if stat)
            if armor_stat and row.get("adds_ability") in modifiers:
                yield armor_stat, modifiers[row["adds_ability"]]
