"""Links into the rules: to the page of an element, and from a word of the game to what it means."""

from functools import lru_cache

from django.template.defaultfilters import slugify
from django.urls import reverse
from django.utils.html import conditional_escape, escape
from django.utils.safestring import SafeString

from characters.read.open import OpenCharacter
from rules.engine.bundle import Bundle
from rules.engine.content import Ref
from rules.models.ruleset import HOMEBREW


def rule_url(ref: Ref, bundle: Bundle) -> str:
    """The page of the element in the rules browser; for homebrew, a page that only those whose characters play by it
    can open."""
    element = bundle.elements.get(ref)
    return _page_of(bundle.ruleset, ref, element is not None and element.source.startswith(HOMEBREW))


def linked(words: str, ref: Ref, opened: OpenCharacter, css: str = "") -> SafeString:
    """The words as a link to the page of the element; just the words without an element, or if the visitor may not open
    that page. css: the classes of the link."""
    if not ref or not opened.may_open(ref):
        return escape(words)
    return _link(rule_url(ref, opened.bundle), words, css)


@lru_cache(maxsize=4096)  # a sheet has a hundred of these links
def _page_of(ruleset: str, ref: Ref, homebrew: bool) -> str:
    kind, _, slug = ref.partition(":")
    return reverse("characters:homebrew-entry" if homebrew else "rules:element", args=[ruleset, kind, slug])


def term(words: str, bundle: Bundle, slug: str = "") -> SafeString:
    """The words as a link to their meaning, which script opens beside them; just the words if this ruleset's glossary
    has no such term. `slug` names the term where the page words it differently."""
    ref = f"term:{slug or slugify(words)}"
    if ref not in bundle.elements:
        return escape(words)
    return _link(rule_url(ref, bundle), words, "why term")


def _link(url: str, words: str, css: str) -> SafeString:
    """Only the words can need escaping: the site makes the address, and a template names the classes."""
    of_class = f' class="{css}"' if css else ""
    return SafeString(f'<a{of_class} href="{url}">{conditional_escape(words)}</a>')
