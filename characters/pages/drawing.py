"""Draws the regions with Jinja2, which is faster, since every action draws some again. Whole pages are Django
templates.

A region reads the context that it is given and nothing else; a name that is not there is an error.
"""

from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.template import engines
from django.template.defaultfilters import capfirst, linebreaksbr, pluralize
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.safestring import SafeString
from django.utils.timezone import template_localtime
from jinja2 import Environment, StrictUndefined, Template

from characters.read import explanations, number_format
from characters.read.faces import drawn, medallion
from rules.engine import Bundle, phrases
from rules.engine.content import Ref
from rules.engine.sheet import ActionLine, Roll
from rules.markdown import render

from . import element_sign
from .builder.diff_text import DiffText
from .compiled_regions import Compiled
from .game_templates import JinjaLoader, beside
from .rule_links import linked, rule_url, term


def draw(template: str, context: dict[str, Any]) -> SafeString:
    """The region's HTML. Values from the context are escaped in it."""
    return SafeString(found(template).render(context))


def found(template: str) -> Template:
    """The region's template. It is looked up each time only where it may be edited."""
    return engines["regions"].env.get_template(template) if settings.DEBUG else _known(template)


@lru_cache
def _known(template: str) -> Template:
    return engines["regions"].env.get_template(template)


class Regions(Environment):
    def join_path(self, template: str, parent: str) -> str:
        return beside(template, parent)

    def make_globals(self, d: Mapping[str, Any] | None) -> dict[str, Any]:
        """A plain dictionary: Jinja2 goes through the keys of the globals for every template that it draws or
        includes."""
        return {**self.globals, **(d or {})}


def environment(**options: Any) -> Environment:
    """The environment that `TEMPLATES` names for the engine `regions`."""
    options["loader"] = JinjaLoader(options["loader"].searchpath)
    options |= {"autoescape": True, "undefined": StrictUndefined, "trim_blocks": True, "lstrip_blocks": True}
    if not settings.DEBUG:
        options["bytecode_cache"] = Compiled(settings.DATA_DIR / "regions")
    regions = Regions(**options)
    regions.filters |= FILTERS | DJANGO_FILTERS
    regions.globals = {"range": range, "url": url}
    return regions


def url(name: str, *args: object) -> str:
    return reverse(name, args=args)


def date(moment: datetime, form: str) -> str:
    return date_format(template_localtime(moment), form)


def pool(roll: Roll | ActionLine) -> str:
    """A roll as its game writes it, or the dice of anything else that has them: an action, a column of chances."""
    match roll:
        case Roll():
            return number_format.of_roll(roll)
        case ActionLine():
            return roll.in_words
        case _:
            return number_format.pool(roll.dice, roll.modifier)


def minus(number: int) -> str:
    return phrases.number(-number)


def signed_by(ref: Ref, bundle: Bundle) -> str:
    """The sign of the element, where its game has drawn one."""
    return element_sign.drawn(bundle, bundle.elements[ref]) if ref in bundle.elements else ""


def drawn_move(move: DiffText) -> SafeString:
    """The move in words. Drawn by Jinja2, because a page of options shows up to a hundred."""
    return draw("characters/builder/_move.jinja", {"move": move})


# Whole pages have these filters, too (templatetags/character_filters.py).
ON_PAGES = {
    "drawn_face": drawn,
    "drawn_move": drawn_move,
    "medallion": medallion,
    "percent": number_format.percent,
    "pool": pool,
    "rule_url": rule_url,
    "signed": phrases.signed,
    "term": term,
}
FILTERS = {
    **ON_PAGES,
    "plain": phrases.number,
    "of_stat": number_format.of_stat,
    "grip": explanations.grip_words,
    "attack_key": explanations.attack_key,
    "mean": number_format.mean,
    "action_key": explanations.action_key,
    "minus": minus,
    "linked": linked,
    "meaning": explanations.meaning,
    "sign": signed_by,
}
DJANGO_FILTERS = {
    "capfirst": capfirst,
    "pluralize": pluralize,
    "linebreaksbr": linebreaksbr,
    "date": date,
    "markdown": render,
}
