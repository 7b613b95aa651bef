from django import template

from rules.library import kind_title
from rules.markdown import render

register = template.Library()


@register.filter
def markdown(text):
    """The rules text as safe HTML."""
    return render(text or "")


register.filter("kind_title", kind_title)
