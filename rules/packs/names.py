"""The names that a ruleset has in the database already, with the id and the source of each."""

from collections.abc import Iterable
from typing import Any

from django.db.models import Model

from rules.models import Element, Resource, Ruleset, Source

from .columns import LATER, NATURAL, Column, PlainRow


class PackNames:
    """For each model of `columns.NATURAL`: ids, name -> id, and owners, name -> slug of its source.

    Leaves out homebrew other than the source `own`, because no pack names the homebrew of another table.
    """

    def __init__(self, ruleset: Ruleset | None, own: str = ""):
        self.ids: dict[type[Model], dict[str, int]] = {model: {} for model in NATURAL}
        self.owners: dict[type[Model], dict[str, str]] = {model: {} for model in NATURAL}
        if ruleset is None:
            return
        for model, parts in NATURAL.items():
            owner = "owner__" if model is Resource else ""
            readable = Source.objects.open_to(besides=[own]).filter(ruleset=ruleset)
            rows = model.objects.filter(**{f"{owner}source__in": readable})
            for pk, source, *name in rows.values_list("pk", f"{owner}source__slug", *parts):
                self.ids[model][":".join(name)] = pk
                self.owners[model][":".join(name)] = source

    def add(self, model: type[Model], name: str, pk: int) -> None:
        self.ids[model][name] = pk

    def of_sources(self, model: type[Model], sources: Iterable[str]) -> set[str]:
        """The names that belong to one of `sources`."""
        sources = set(sources)
        return {name for name, source in self.owners[model].items() if source in sources}

    def id(self, model: type[Model], name: str) -> int | None:
        return self.ids[model][name] if name else None

    def attributes(self, row: PlainRow, columns: Iterable[Column]) -> dict[str, Any]:
        """The columns of a pack's row as model attributes, references as ids, without those in `LATER`."""
        return {
            column.field.attname: self.id(column.target, row[column.key]) if column.target else row[column.key]
            for column in columns
            if column.key not in LATER
        }


def label(model: type[Model]) -> str:
    """The word for a row of the model in a sentence."""
    return "element" if model is Element else str(model._meta.verbose_name)
