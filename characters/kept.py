"""Rendered parts of a page, kept in memory until the character or its rules move.

A sheet is read far more often than it changes, and drawing it costs more than all else that a request does. What is
kept is text for one version of one character under one revision of its rules; nothing is ever stored. The values that
belong to one request, the CSRF token and the forms' keys, stand in it as marks and are filled in when it is sent.
"""

import secrets
import uuid
from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import NamedTuple

from django.middleware.csrf import get_token
from django.utils.safestring import SafeString, mark_safe

KEPT = 256
# Drawn once per process and never sent, so that no text of a player can be mistaken for a mark.
CSRF_MARK = secrets.token_hex(32)
KEY_MARK = secrets.token_hex(16)


class Part(NamedTuple):
    """A drawn part. sources: those whose revisions it was drawn under."""

    stamp: Hashable
    sources: frozenset[str]
    html: str


class Keys:
    """Numbers the forms of one drawing; each gets its own key when the part is sent."""

    def __init__(self):
        self.count = 0

    def __str__(self):
        self.count += 1
        return f"{KEY_MARK}{self.count:x}"


_parts: OrderedDict[Hashable, Part] = OrderedDict()
_lock = Lock()


def known(name: Hashable) -> Part | None:
    """The part kept under this name, whatever its stamp."""
    with _lock:
        part = _parts.get(name)
        if part is not None:
            _parts.move_to_end(name)
        return part


def keep(name: Hashable, stamp: Hashable, sources: frozenset[str], draw: Callable[[dict], str]) -> Part:
    """Draw a part and keep it. `draw` gets the context values that stand for the request's own."""
    part = Part(stamp, sources, draw({"csrf_token": CSRF_MARK, "form_keys": Keys()}))
    with _lock:
        _parts[name] = part
        while len(_parts) > KEPT:
            _parts.popitem(last=False)
    return part


def sent(part: Part, request) -> SafeString:
    """The part's HTML for this request. It came out of a template, so it is escaped already."""
    html = part.html.replace(CSRF_MARK, get_token(request)).replace(KEY_MARK, uuid.uuid4().hex)
    return mark_safe(html)  # noqa: S308


def forget_all() -> None:
    """Empty the store; for tests and measurements."""
    with _lock:
        _parts.clear()
