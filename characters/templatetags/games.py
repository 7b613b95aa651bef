"""`{% games as games %}`: the rulesets that a new character may be of, the usual one first."""

from django import template
from django.db.models import QuerySet

from characters.verbs.begin import playable
from rules.models import Ruleset

register = template.Library()


@register.simple_tag
def games() -> QuerySet[Ruleset]:
    return playable()
