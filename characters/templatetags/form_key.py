"""`{% form_key %}`: the hidden field that lets a form sent twice be answered once."""

import uuid

from django import template
from django.utils.html import format_html

register = template.Library()


@register.simple_tag(takes_context=True)
def form_key(context):
    """A fresh key, or a mark for one where the page is kept (characters/kept.py)."""
    return format_html('<input type="hidden" name="key" value="{}">', context.get("form_keys") or uuid.uuid4().hex)
