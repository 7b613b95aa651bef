"""Rolls, chances and rule pages in Django's templates: `{{ roll|pool }}`, `{{ ref|rule_url:bundle }}`."""

from collections.abc import Mapping

from django import template
from django.utils.safestring import SafeString

from characters.pages import rule_links
from characters.pages.drawing import ON_PAGES
from characters.read.faces import DRAWN, HasFace
from characters.read.open import OpenCharacter
from rules.engine.bundle import Bundle

register = template.Library()
for name, function in ON_PAGES.items():
    register.filter(name, function)


@register.simple_tag
def term(words: str, bundle: Bundle, slug: str = "") -> SafeString:
    """Like the filter, for a page that uses another word than the glossary: `slug` names the term."""
    return rule_links.term(words, bundle, slug)


@register.simple_tag
def linked(words: str, ref: str, opened: OpenCharacter, css: str = "") -> SafeString:
    """Like the filter for regions: a link only for those who may open its page."""
    return rule_links.linked(words, ref, opened, css)


@register.filter
def may_open(opened: OpenCharacter, ref: str) -> bool:
    return opened.may_open(ref)


@register.filter
def of(texts: Mapping[str, str], key: str) -> str:
    """The entry of a mapping under a key that is itself a variable."""
    return texts.get(key, "")


@register.filter
def is_face(name: str, character: HasFace) -> bool:
    """True if this drawn face is the character's."""
    return character.face == f"{DRAWN}:{name}"
