"""Rolls, chances and rule pages in Django's templates: `{{ roll|pool }}`, `{{ ref|rule_url:bundle }}`."""

from collections.abc import Mapping

from django import template
from django.utils.safestring import SafeString

from characters.pages import rule_links
from characters.pages.drawing import ON_PAGES
from characters.read.faces import DRAWN, HasFace
from rules.engine.bundle import Bundle

register = template.Library()
for name, function in ON_PAGES.items():
    register.filter(name, function)


@register.simple_tag
def term(words: str, bundle: Bundle, slug: str = "") -> SafeString:
    """Like the filter, for a page that uses another word than the glossary: `slug` names the term."""
    return rule_links.term(words, bundle, slug)


@register.filter
def of(texts: Mapping[str, str], key: str) -> str:
    """The entry of a mapping under a key that is itself a variable."""
    return texts.get(key, "")


@register.filter
def is_face(name: str, character: HasFace) -> bool:
    """True if this drawn face is the character's."""
    return character.face == f"{DRAWN}:{name}"
