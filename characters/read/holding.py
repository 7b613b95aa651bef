"""The number of characters that hold an entry of the rules: they chose it, were given it, carry it or suffer it."""

from typing import Any

from django.db.models import Count, Exists, IntegerField, OuterRef, Subquery, Value
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce

from characters.models import Award, CharacterCondition, Decision, InventoryItem

# The tables whose rows keep an entry from deletion. A plan keeps it, too, and is no holding yet.
TABLES: tuple[Any, ...] = (Decision, InventoryItem, CharacterCondition, Award)


def characters_holding() -> Combinable:
    """For a query of elements: how many characters have a row that names it, each once, and those in the bin too."""
    total: Combinable = Value(0)
    for at, table in enumerate(TABLES):
        rows = table.objects.filter(element=OuterRef("pk")).order_by()
        for earlier in TABLES[:at]:
            both = earlier.objects.filter(element=OuterRef("element"), character=OuterRef("character"))
            rows = rows.exclude(Exists(both))
        count = rows.values("element").annotate(holders=Count("character", distinct=True)).values("holders")
        total = total + Coalesce(Subquery(count, output_field=IntegerField()), 0)
    return total
