"""The number of characters that hold an entry of the rules: chose it, were given it, carry it or suffer it."""

from typing import Any

from django.db.models import Count, Exists, IntegerField, OuterRef, Subquery, Value
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce

from characters.models import Award, CharacterCondition, Decision, InventoryItem

# The tables whose rows keep an entry from deletion. Plans do so too, but to plan an entry is not to hold it.
TABLES: tuple[Any, ...] = (Decision, InventoryItem, CharacterCondition, Award)


def characters_holding() -> Combinable:
    """For a query of elements: the number of characters with a row that names it, each counted once, the bin
    included."""
    total: Combinable = Value(0)
    for at, table in enumerate(TABLES):
        rows = table.objects.filter(element=OuterRef("pk")).order_by()
        for earlier in TABLES[:at]:
            both = earlier.objects.filter(element=OuterRef("element"), character=OuterRef("character"))
            rows = rows.exclude(Exists(both))
        count = rows.values("element").annotate(holders=Count("character", distinct=True)).values("holders")
        total = total + Coalesce(Subquery(count, output_field=IntegerField()), 0)
    return total
