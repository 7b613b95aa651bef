"""Numbers and rule pages in templates: `{{ 2|signed }}`, `{{ roll|pool }}`, `{{ ref|rule_url:bundle }}`."""

from django import template

from characters.drawing import FIGURES

register = template.Library()
for name, function in FIGURES.items():
    register.filter(name, function)


@register.filter
def of(texts, key):
    """The entry of a mapping under a key that is itself a variable."""
    return texts.get(key, "")
