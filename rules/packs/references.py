"""Checks that everything a pack refers to exists once, in the right ruleset, and that every statistic can be
computed."""

from itertools import pairwise

from django.db.models import Model

from rules.models import Element, Source
from rules.stat_graph import StatGraph, is_ring, too_long

from .check import PackReader
from .names import PackNames, label
from .yaml_files import YamlValue

MOST_SHOWN = 8  # statistics of a ring in a message


def resolve(reader: PackReader, names: PackNames, beneath: list[Source]) -> None:
    """Add names that lead to nothing to the reader's problems. beneath: the sources whose rows the pack may name."""
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
    check_paths(reader, beneath)


def elsewhere(model: type[Model], name: str, names: PackNames, own: str) -> str:
    owner = names.owners[model].get(name)
    if owner and owner != own:
        return f" (source {owner} has it: add it to `requires`)"
    if model is Element and ":" not in name:
        return " (an element is named kind:slug)"
    return ""


def check_paths(reader: PackReader, beneath: list[Source]) -> None:
    """Report a ring of statistics at each row in it, and a chain that is too long at its first row."""
    graph = StatGraph()
    graph.add_pack(reader.pack)
    graph.add_sources(beneath)
    path = graph.wrong_path()
    if not path:
        return
    rows = [reader.edges[pair] for pair in pairwise(path) if pair in reader.edges] or [YamlValue("", "stats.yaml", 1)]
    if is_ring(path):
        shown = path if len(path) <= MOST_SHOWN else [*path[: MOST_SHOWN - 1], "…", path[-1]]
        reason = f"statistics would depend on themselves: {' → '.join(shown)}"
    else:
        rows, reason = rows[:1], too_long()
    for row in rows:
        reader.problems.at(row, reason)
