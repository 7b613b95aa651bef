"""Rolls, chances and rule pages in Django's templates: `{{ roll|pool }}`, `{{ ref|rule_url:bundle }}`."""

from django import template

from characters.pages import rule_links
from characters.pages.drawing import ON_PAGES
from characters.read.faces import DRAWN

register = template.Library()
for name, function in ON_PAGES.items():
    register.filter(name, function)


@register.simple_tag
def term(words, bundle, slug=""):
    """The same as the filter, where the page says it in other words than the glossary."""
    return rule_links.term(words, bundle, slug)


@register.filter
def of(texts, key):
    """The entry of a mapping under a key that is itself a variable."""
    return texts.get(key, "")


@register.filter
def is_face(name, character):
    """True if this drawn face is the character's."""
    return character.face == f"{DRAWN}:{name}"
