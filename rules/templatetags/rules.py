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


register.filter("kind_title", kind_title)
