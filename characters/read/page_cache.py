"""Rendered parts of a page, kept in memory until the character or its rules change.

A sheet is read far more often than it changes, and drawing it takes longer than everything else in a request. The cache
holds text for one version of one character under one revision of its rules; nothing is ever stored. Values that belong
to one request (the CSRF token, the forms' keys, and the list of what its owner has not seen) are placeholders in it and
are filled in when it is sent.
"""

import secrets
from collections.abc import Callable, Hashable
from functools import partial
from typing import NamedTuple

from django.conf import settings
from django.http import HttpRequest
from django.middleware.csrf import get_token
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from rules.lru import LRU

# Random in each process and never sent, so no player can write text that is mistaken for a placeholder.
CSRF_PLACEHOLDER = secrets.token_hex(32)
KEY_PLACEHOLDER = secrets.token_hex(16)
LOOKED_PLACEHOLDER = secrets.token_hex(16)


class CachedPart(NamedTuple):
    """A drawn part, and the stamp of what it was drawn from."""

    stamp: Hashable
    html: str


class Keys:
    """Gives each form of one drawing a key of its own."""

    def __init__(self, beginning: str) -> None:
        self.beginning, self.count = beginning, 0

    def __str__(self) -> str:
        self.count += 1
        return f"{self.beginning}{self.count:x}"


class FormTokens(NamedTuple):
    """The CSRF token and the form keys that belong to one drawing alone."""

    csrf: Callable[[], str]
    keys: Keys


def form_tokens(request: HttpRequest) -> FormTokens:
    """The token and keys for this request. The forms of an answer send the token that came with the request: it has
    just been checked, and nobody else could have made the browser send it. Only pages need a fresh mask and cookie."""
    sent = request.POST.get("csrfmiddlewaretoken")
    return FormTokens((lambda: escape(sent)) if sent else partial(get_token, request), Keys(secrets.token_hex(16)))


PARTS = LRU[CachedPart](256 if settings.PAGE_CACHE else 0)  # with the setting off, every page is drawn anew


def part(name: Hashable, stamp: Hashable, draw: Callable[[FormTokens], str]) -> CachedPart:
    """The part kept under this name, drawn again if its stamp has changed. It has placeholders for a request's own
    values."""
    known = PARTS.find(name)
    if known is None or known.stamp != stamp:
        known = CachedPart(stamp, draw(FormTokens(lambda: CSRF_PLACEHOLDER, Keys(KEY_PLACEHOLDER))))
        PARTS.put(name, known)
    return known


def filled_in(drawn: CachedPart, token: str, looked: str) -> SafeString:
    """The part's HTML for one request, with its CSRF token and the list of what its owner has not seen. Templates drew
    both, so they are escaped already."""
    html = drawn.html.replace(CSRF_PLACEHOLDER, token).replace(KEY_PLACEHOLDER, secrets.token_hex(16))
    html = html.replace(LOOKED_PLACEHOLDER, looked)
    return mark_safe(html)  # noqa: S308
