from django import template
from django.utils.safestring import SafeString

from rules.engine.content import Ref
from rules.library import Library, kind_title
from rules.markdown import render

register = template.Library()


@register.filter
def markdown(text: str | None) -> SafeString:
    """The rules text as safe HTML."""
    return render(text or "")


@register.filter
def url_in(ref: Ref, library: Library) -> str:
    """The page of an element for the readers of this library."""
    return library.url(ref)


@register.filter
def kind_title_in(kind: str, library: Library) -> str:
    """The title of a kind in the words of this library's game."""
    return kind_title(kind, library.bundle.kinds)
