from django import template

from rules.library import kind_title
from rules.markdown import render

register = template.Library()


@register.filter
def markdown(text):
    """The rules text as safe HTML."""
    return render(text or "")


@register.filter
def url_in(ref, library):
    """The page of an element for the readers of this library."""
    return library.url(ref)


register.filter("kind_title", kind_title)
