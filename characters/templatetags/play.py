"""Forms of the live sheet: `<form {% act "adjust" %}>`, the refusal beside its field, and what had been typed."""

from django import template
from django.forms.utils import flatatt
from django.utils.html import format_html

register = template.Library()


@register.simple_tag(takes_context=True)
def act(context, slug):
    """Where a form goes, with and without script."""
    url = f"{context['base']}play/{slug}/"
    return flatatt({"method": "post", "action": url, **({} if context.get("plain") else {"hx-post": url})})


@register.simple_tag(takes_context=True)
def refused(context, where):
    """The sentence that refused this form, if it was this one."""
    refusal = refused_here(context, where)
    if refusal is None:
        return ""
    refusal.said = True
    return format_html('<p class="field-error" role="alert" id="{}-refused">{}</p>', where, refusal.sentence)


@register.simple_tag(takes_context=True)
def refused_elsewhere(context):
    """A refusal that no form of the page has said. Stands after them all."""
    refusal = context.get("refusal")
    return refused(context, refusal.where) if refusal and not refusal.said else ""


@register.simple_tag(takes_context=True)
def wrong(context, where, field, help=""):
    """Marks the field that a refusal is about, and names what describes a field: `help` and the sentence."""
    refusal = refused_here(context, where)
    if refusal is None or refusal.field != field:
        return flatatt({"aria-describedby": help}) if help else ""
    described = f"{where}-refused {help}".strip()
    return flatatt({"aria-invalid": "true", "aria-describedby": described})


def refused_here(context, where):
    refusal = context.get("refusal")
    return refusal if refusal and refusal.where == where else None


@register.simple_tag(takes_context=True)
def typed(context, where, field, otherwise=""):
    """What had been typed into a field of the form that was refused."""
    refusal = refused_here(context, where)
    return refusal.typed.get(field, otherwise) if refusal and refusal.typed else otherwise


@register.simple_tag(takes_context=True)
def picked(context, where, field, value, otherwise=""):
    """Marks the option that had been picked in the form that was refused, and without one the option `otherwise`."""
    return flatatt({"selected": typed(context, where, field, str(otherwise)) == str(value)})


@register.simple_tag(takes_context=True)
def ticked(context, where, field, value="on", otherwise=False):
    """The same for a tick, or one of several; `otherwise` where nothing was refused."""
    before = typed(context, where, field, None)
    return flatatt({"checked": otherwise if before is None else before == value})


@register.simple_tag(takes_context=True)
def opened_by(context, *forms):
    """Opens what is folded away where one of its forms was refused."""
    refusal = context.get("refusal")
    return flatatt({"open": bool(refusal) and refusal.where in forms})


@register.filter
def at(slug, number):
    """The name of one of many forms of a kind: `{% refused "undo"|at:change.sequence %}`."""
    return f"{slug}-{number}"


@register.filter
def times(number):
    """As many as this, to loop over."""
    return range(number)


@register.filter
def shots(row, table):
    """What an attack of the sheet can still use: shots loaded, pieces of ammunition."""
    return table.shots.get(f"{row.attack.item_key or row.attack.item}.{row.attack.grip}", "")
