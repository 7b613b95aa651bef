"""`{% csrf_and_key %}`: the two hidden fields of every form that changes something."""

import uuid

from django import template
from django.template.context import Context
from django.template.defaulttags import CsrfTokenNode
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag(takes_context=True)
def csrf_and_key(context: Context) -> SafeString:
    """The CSRF token, and a key by which a form that is sent twice counts once."""
    token = CsrfTokenNode().render(context)
    return format_html('{}<input type="hidden" name="key" value="{}">', token, uuid.uuid4().hex)
