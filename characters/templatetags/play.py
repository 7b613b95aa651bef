"""Forms of the live sheet: `<form {% act "adjust" %}>`, the refusal beside its field, and what had been typed."""

from django import template
from django.utils.html import format_html

register = template.Library()


@register.simple_tag(takes_context=True)
def act(context, slug):
    """Where a form goes, with and without script."""
    url = f"{context['base']}play/{slug}/"
    return format_html('method="post" action="{}" hx-post="{}"', url, url)


@register.simple_tag(takes_context=True)
def refused(context, where):
    """The sentence that refused this form, if it was this one."""
    refusal = context.get("refusal")
    if not refusal or refusal.where != where:
        return ""
    return format_html('<p class="field-error" role="alert" id="{}-refused">{}</p>', where, refusal.sentence)


@register.simple_tag(takes_context=True)
def refused_at(context, slug, number):
    """The same for one of many forms of a kind, told apart by a number."""
    return refused(context, f"{slug}-{number}")


@register.simple_tag(takes_context=True)
def wrong(context, where, field):
    """Marks the field that a refusal is about."""
    refusal = context.get("refusal")
    if not refusal or refusal.where != where or (refusal.field and refusal.field != field):
        return ""
    return format_html('aria-invalid="true" aria-describedby="{}-refused"', where)


@register.simple_tag(takes_context=True)
def typed(context, where, field, otherwise=""):
    """What had been typed into a field of the form that was refused."""
    refusal = context.get("refusal")
    if not refusal or refusal.where != where or not refusal.typed:
        return otherwise
    return refusal.typed.get(field, otherwise)


@register.filter
def times(number):
    """As many as this, to loop over."""
    return range(number)


@register.filter
def shots(row, table):
    """What an attack of the sheet can still use: shots loaded, pieces of ammunition."""
    return table.shots.get(f"{row.attack.item_key or row.attack.item}.{row.attack.grip}", "")
