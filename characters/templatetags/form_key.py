"""`{% form_key %}`: the hidden field that lets a form sent twice be answered once."""

import uuid

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag
def form_key() -> SafeString:
    """A key of its own for this form."""
    return format_html('<input type="hidden" name="key" value="{}">', uuid.uuid4().hex)
