"""`{% games as several %}`: the rulesets that a new character may be of, the usual one first. `{% credits_of_games as
credits %}`: the templates that say whose work each game is."""

from django import template
from django.db.models import QuerySet

from rules.games import GAMES
from rules.models import Ruleset

register = template.Library()


@register.simple_tag
def games() -> QuerySet[Ruleset]:
    return Ruleset.objects.playable()


@register.simple_tag
def credits_of_games() -> list[str]:
    return [f"games/{name}/credit.html" for name in GAMES]
