"""Finds, in few queries, what the page that confirms a deletion shows: all that would be deleted, and all that prevents
it."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.contrib.admin import AdminSite
from django.contrib.admin.utils import NestedObjects, quote
from django.db import router
from django.db.models import Exists, ForeignKey, Model, OuterRef, QuerySet
from django.db.models.deletion import get_candidate_relations_to_delete
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.text import capfirst

from rules.models import ELEMENT_CLASSES, Action, Effect, Element, Stat
from rules.patterns.lines import Edit, lines_of

type Deletion = tuple[list[Any], dict[str, int], set[str], list[str]]
"""The rows to delete (each followed by a list of those below it), their number by kind, the kinds that the person may
not delete, and the rows that prevent the deletion."""


class PointingRows(NestedObjects):
    """Finds out in one query which tables have rows that point at these, where Django's collector queries some forty
    tables. Loads the found rows with the rows they refer to."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._pointing: dict[tuple[type[Model], tuple[object, ...]], set[ForeignKey]] = {}

    def related_objects(
        self, related_model: type[Model], related_fields: Iterable[ForeignKey], objs: Sequence[Model]
    ) -> QuerySet:
        rows = super().related_objects(related_model, related_fields, objs)
        if not any(field in self.pointing(objs) for field in related_fields):
            return rows.none()
        named = [field.name for field in related_model._meta.concrete_fields if isinstance(field, ForeignKey)]
        return rows.select_related(*named)

    def pointing(self, objs: Sequence[Model]) -> set[ForeignKey]:
        """The foreign keys, of all tables, that lead to any of these rows. One query."""
        model, pks = type(objs[0]), tuple(obj.pk for obj in objs)
        if (model, pks) not in self._pointing:
            fields = [relation.field for relation in get_candidate_relations_to_delete(model._meta)]
            found = {
                f"pointing_{at}": Exists(field.model._base_manager.filter(**{field.name: OuterRef("pk")}))
                for at, field in enumerate(fields)
            }
            rows = model._base_manager.using(self.using).filter(pk__in=pks).annotate(**found).values_list(*found)
            self._pointing[model, pks] = {
                field for row in rows for field, points in zip(fields, row, strict=True) if points
            }
        return self._pointing[model, pks]


def deleted_with(objs: Iterable[Model], request: HttpRequest, site: AdminSite) -> Deletion:
    """Does what Django's `get_deleted_objects` does."""
    objs = list(objs)
    if not objs:
        return [], {}, set(), []
    collector = PointingRows(using=router.db_for_write(type(objs[0])))
    collector.collect(objs)
    lacking = {
        model._meta.verbose_name
        for model in {page_of(row) for found in collector.model_objs.values() for row in found}
        if site.is_registered(model) and not site.get_model_admin(model).has_delete_permission(request)
    }

    def linked(row: Model) -> str:
        model = page_of(row)
        kind = capfirst(model._meta.verbose_name)
        if not site.is_registered(model):
            return f"{kind}: {row}"
        name = f"{site.name}:{model._meta.app_label}_{model._meta.model_name}_change"
        return format_html('{}: <a href="{}">{}</a>', kind, reverse(name, args=[quote(row.pk)]), row)

    counts = {model._meta.verbose_name_plural: len(found) for model, found in collector.model_objs.items()}
    # Its own actions point at its resources, so they are deleted first (`without_own_rows`).
    kept_by = [row for row in collector.protected if not (isinstance(row, Action) and row.owner in objs)]
    bases = collector.model_objs.get(Effect, ())  # statistics made for a line have their base among the entry's effects
    stats = [stat for entry in objs if entry in {row.owner for row in bases} for stat in stats_made_for(entry)]
    if stats:
        counts[Stat._meta.verbose_name_plural] = len(stats)
    return [*collector.nested(linked), *map(linked, stats)], counts, lacking, [linked(row) for row in kept_by]


def without_own_rows(entry: Element) -> None:
    """Delete those rows of an entry that its other rows point at, and those made for its lines."""
    edit = Edit(entry, gone=lines_of(entry))
    if not edit.hindrances():
        edit.write()
    entry.actions.all().delete()


def stats_made_for(entry: Element) -> list[Stat]:
    """The statistics that `without_own_rows` deletes. Django's collector does not find them."""
    edit = Edit(entry, gone=lines_of(entry))
    stats = [row for row in edit.leaving if isinstance(row, Stat)]
    return stats if stats and not edit.hindrances() else []


def page_of(row: Model) -> type[Model]:
    """The model whose page edits a row; for an element, that of its kind."""
    return ELEMENT_CLASSES[row.kind] if type(row) is Element else type(row)
