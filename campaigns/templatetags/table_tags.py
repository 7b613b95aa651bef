"""`{% own_table_of character %}`: the part of a sheet that names its character's table, and whose turn it is there."""

from typing import Any

from django import template
from django.template.context import RequestContext

from campaigns.own_table import own_table
from characters.models import Character

register = template.Library()


@register.inclusion_tag("campaigns/_own_table.html", takes_context=True)
def own_table_of(context: RequestContext, character: Character) -> dict[str, Any]:
    """Empty if the reader plays this character at no table."""
    seat = context["at_hand"].seats.get(character.pk)
    return own_table(seat) | {"request": context["request"], "csrf_token": context["csrf_token"]} if seat else {}
