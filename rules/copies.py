"""A copy of an entry to change: "like Fighter, but". It is a draft with rows of its own, and counts its own uses."""

from django.db import models as fields
from django.db import transaction

from rules import models
from rules.homebrew import named
from rules.models.vocabulary import Kind, Status

COPIED_NEVER = {Kind.RULES, Kind.ABILITY}  # a game has one of these core rules, and two statistics for each ability
ROWS = (
    (models.Effect, "owner"),
    (models.Choice, "owner"),
    (models.Prerequisite, "owner"),
    (models.Recovery, "owner"),
    (models.Action, "owner"),
    (models.PropertyUse, "item"),
    (models.Suggestion, "background"),
)


@transaction.atomic
def copied(element: models.Element, into: models.Source | None = None) -> models.Element:
    """A draft beside `element`, in its source, with all of its rows. Rows that point at the first stay there.

    into: homebrew that takes the copy, as an entry of its own; from then on it builds on the source of the first, and
    on what that requires.
    """
    cls = models.ELEMENT_CLASSES[element.kind]
    entry = cls.objects.get(pk=element.pk)
    groups = list(entry.groups.all())
    beside = models.Element.objects.filter(ruleset=entry.ruleset_id, kind=entry.kind)
    source = into or element.source
    entry.slug = named(entry.slug, source, set(beside.values_list("slug", flat=True)), 80)
    entry.name, entry.was, entry.status = f"{entry.name[:113]} (copy)", "", Status.DRAFT
    if into is not None:
        entry.source, entry.status, entry.page_ref = into, Status.PUBLISHED, ""
        if not element.source.is_core:
            into.requires.add(element.source, *element.source.requires.filter(is_core=False))
    _save_anew(entry)
    entry.groups.set(groups)
    instead = _resources(element, entry)
    if entry.kind == Kind.CONDITION and entry.resource_id:
        _point(entry, instead)
        entry.save()
    for row_class, owner in ROWS:
        for row in row_class.objects.filter(**{owner: element.pk}).order_by("pk"):
            options = list(row.options.order_by("pk")) if row_class is models.Choice else ()
            setattr(row, f"{owner}_id", entry.pk)
            _point(row, instead)
            _save_anew(row)
            for option in options:
                option.choice = row
                _save_anew(option)
    return entry


def _resources(element, entry):
    """Resources of the copy, with maxima of their own: (class, id of the first one's) -> what stands in its place."""
    keys = set(models.Stat.objects.filter(ruleset=entry.ruleset_id).values_list("key", flat=True))
    slugs = set(models.Resource.objects.filter(owner__ruleset=entry.ruleset_id).values_list("slug", flat=True))
    instead = {}
    for resource in models.Resource.objects.filter(owner=element.pk).select_related("max_stat").order_by("pk"):
        first, stat = resource.pk, resource.max_stat
        first_stat = stat.pk
        resource.slug = named(resource.slug, entry.source, slugs, 60)
        stat.key = named(stat.key, entry.source, keys, 80)
        slugs.add(resource.slug)
        keys.add(stat.key)
        stat.source_id = entry.source_id
        _save_anew(stat)
        resource.owner_id, resource.max_stat = entry.pk, stat
        _save_anew(resource)
        instead |= {(models.Resource, first): resource, (models.Stat, first_stat): stat}
    return instead


def _point(row, instead):
    for column in row._meta.concrete_fields:
        if isinstance(column, fields.ForeignKey):
            replacement = instead.get((column.related_model, getattr(row, column.attname)))
            if replacement:
                setattr(row, column.name, replacement)


def _save_anew(row):
    row.pk = row.id = None
    row._state.adding = True
    row.save()
