"""The parts of the content admin that ask about characters: why a source cannot be deleted, which characters a pack
would change, and how many hold an entry."""

from collections.abc import Iterable
from typing import Any

from django.contrib import admin
from django.db.models import Count, Exists, IntegerField, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce
from django.http import HttpRequest

from characters.models import Award, Change, CharacterCondition, Decision, InventoryItem
from characters.pages.packs.pack_pages import PackPages
from characters.pages.publications.preview_page import PreviewPages
from rules.admin.definitions import SourceAdmin
from rules.models import ELEMENT_CLASSES, HouseRules, Source

# The tables whose rows keep an entry from deletion. Plans do, too, but a planned entry is not held yet.
TABLES: tuple[Any, ...] = (Decision, InventoryItem, CharacterCondition, Award)

admin.site.unregister(Source)


@admin.register(Source)
class PlayedSourceAdmin(PackPages, PreviewPages, SourceAdmin):
    def get_deleted_objects(self, objs: Iterable[Source], request: HttpRequest) -> tuple[Any, ...]:
        deleted, counts, not_allowed, protected = super().get_deleted_objects(objs, request)
        return deleted, counts, not_allowed, [*protected, *filter(None, map(why_kept, objs))]


def why_kept(source: Source) -> str:
    """The reason why the source cannot be deleted, as a sentence; "" for none."""
    if HouseRules.objects.filter(sources=source).exists():
        return f"{source} is in play: house rules name it."
    address = f"source:{source.slug}"
    named = Q(before__has_key=address) | Q(after__has_key=address)
    if Change.objects.filter(named, character__ruleset=source.ruleset_id).exists():
        return f"{source} was in play: the history of a character names it."
    return ""


def characters_holding() -> Combinable:
    """For a query of elements: the number of characters that hold each, since they chose it, were given it, carry it or
    suffer it. The bin is included."""
    total: Combinable = Value(0)
    for at, table in enumerate(TABLES):
        rows = table.objects.filter(element=OuterRef("pk")).order_by()
        for earlier in TABLES[:at]:
            both = earlier.objects.filter(element=OuterRef("element"), character=OuterRef("character"))
            rows = rows.exclude(Exists(both))
        count = rows.values("element").annotate(holders=Count("character", distinct=True)).values("holders")
        total = total + Coalesce(Subquery(count, output_field=IntegerField()), 0)
    return total


class HeldByCharacters(admin.ModelAdmin):
    """A page of elements that says how many characters hold each."""

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        return super().get_queryset(request).annotate(holders=characters_holding())

    def get_list_display(self, request: HttpRequest) -> tuple[str, ...]:
        return (*super().get_list_display(request), "held_by")

    @admin.display(description="held by", ordering="holders")
    def held_by(self, row: Any) -> int:
        return row.holders


for cls in ELEMENT_CLASSES.values():
    page = type(admin.site.get_model_admin(cls))
    admin.site.unregister(cls)
    admin.site.register(cls, type(f"Held{page.__name__}", (HeldByCharacters, page), {}))
