"""Does everything a pack names exist, once, in the right ruleset, and without a ring?"""

from collections.abc import Iterable

from rules.models import Element, Source
from rules.models.vocabulary import EffectKind
from rules.rings import Edge, find_ring

from .check import Reader
from .names import Names, label
from .source_rows import Pack, read_source
from .yaml_files import Value


def resolve(reader: Reader, names: Names, beneath: list[Source]) -> None:
    """Add to the reader's problems what does not resolve. beneath: the sources the pack may name things of."""
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
    ring(reader, beneath)


def elsewhere(model, name: str, names: Names, own: str) -> str:
    owner = names.owners[model].get(name)
    if owner and owner != own:
        return f" (source {owner} has it: add it to `requires`)"
    if model is Element and ":" not in name:
        return " (an element is named kind:slug)"
    return ""


def ring(reader: Reader, beneath: list[Source]) -> None:
    """A ring of statistics is a mistake of each row that takes part in it."""
    path = find_ring(edges([reader.pack, *(read_source(source) for source in beneath)]))
    pairs = set(zip(path, path[1:], strict=False))
    rows = [value for pair, value in reader.edges.items() if pair in pairs]
    for where in rows or [Value("", "stats.yaml", 1)] if path else []:
        reader.problems.at(where, f"statistics would need themselves: {' → '.join(path)}")


def edges(packs: Iterable[Pack]) -> Iterable[Edge]:
    """Every (stat, stat it is worked out from) of packs that are used together."""
    packs = list(packs)
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
            for line in row[str(EffectKind.MODIFY)]:
                needed = [line["of_stat"], *tested.get(line["when"], ())]
                yield from ((line["stat"], stat) for stat in needed if stat)
            if armor_stat and row.get("adds_ability") in modifiers:
                yield armor_stat, modifiers[row["adds_ability"]]
