"""Responses that many pages give: a redirect after a POST, a refusal in a form, a file, a page whose messages are
spoken, a page at a secret address."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.messages import get_messages
from django.forms import Form
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.cache import patch_cache_control
from django_htmx.http import trigger_client_event

from characters.change.refusals import Refused


class SeeOther(HttpResponseRedirect):
    """The response to a POST that sends the browser to this page, with GET."""

    status_code = 303


def add_refusal(form: Form, refused: Refused) -> None:
    """Add a refusal to the form's errors: at its field, or above the form if that has no such field."""
    form.add_error(refused.field if refused.field in form.fields else None, refused.sentence)


def as_file(content: bytes, name: str, content_type: str) -> HttpResponse:
    """A file of this name, which the browser stores."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(content, content_type=content_type, headers=headers)


def render_spoken(request: HttpRequest, template: str, context: dict[str, Any], status: int = 200) -> HttpResponse:
    """A page of which htmx swaps a region. For htmx, messages about what happened are spoken in the status region
    instead of shown on top."""
    if not request.htmx:
        return render(request, template, context, status=status)
    said = " ".join(str(message) for message in get_messages(request))
    response = render(request, template, {**context, "messages": ()}, status=status)
    return trigger_client_event(response, "say", {"value": said}) if said else response


def unlisted(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """For pages at a secret address: search engines leave them out, and no cache keeps them once the link has ended."""

    @wraps(view)
    def shown(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = view(request, *args, **kwargs)
        response.headers["X-Robots-Tag"] = "noindex, nofollow"
        patch_cache_control(response, private=True, no_store=True)
        return response

    return shown
