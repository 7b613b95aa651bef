"""Answers that all pages give: the page to see next, and what an address that is secret asks of browsers."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.cache import patch_cache_control


class SeeOther(HttpResponseRedirect):
    """After a POST: fetch this page, with GET."""

    status_code = 303


def unlisted(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """For what is opened by a secret address: search engines leave it out, and nobody keeps it after the link ends."""

    @wraps(view)
    def shown(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = view(request, *args, **kwargs)
        response.headers["X-Robots-Tag"] = "noindex, nofollow"
        patch_cache_control(response, private=True, no_store=True)
        return response

    return shown
