"""Answers of the level pages. htmx asks for the same pages and swaps the region that changes."""

from typing import Any

from django.contrib.messages import get_messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django_htmx.http import trigger_client_event


def draw(request: HttpRequest, template: str, context: dict[str, Any], status: int = 200) -> HttpResponse:
    """The page; with htmx, what happened before it is spoken in the status region instead of standing on top."""
    if not request.htmx:
        return render(request, template, context, status=status)
    said = " ".join(str(message) for message in get_messages(request))
    response = render(request, template, {**context, "messages": ()}, status=status)
    return trigger_client_event(response, "say", {"value": said}) if said else response
