"""`{% form_key %}`: a hidden field, by which a form that is sent twice counts once."""

import uuid

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag
def form_key() -> SafeString:
    return format_html('<input type="hidden" name="key" value="{}">', uuid.uuid4().hex)
