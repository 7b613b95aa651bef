"""Characters of guests that no session reaches any more: the cookie has expired or was deleted."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.sessions.models import Session
from django.core import signing
from django.utils import timezone
from django.utils.module_loading import import_string

from characters.models import Character
from characters.people import SESSION_KEY, hashed

# Newer characters are left alone: a session may be written while the sessions are read.
LEFT_ALONE = timedelta(days=1)


class Unreadable(Exception):
    """A session cannot be read, so it is not known whose characters it reaches."""


def unreachable() -> list[tuple[int, str]]:
    """The id and the guest of each such character.

    Raises Unreadable if a live session cannot be read, for example because the secret key was changed: with the old
    key, its visitor would be back.
    """
    now = timezone.now()
    reached = {hashed(session.get(SESSION_KEY, "")) for session in live_sessions(now)}
    drafts = Character.objects.filter(owner=None, sample="", binned_at=None, created_at__lt=now - LEFT_ALONE)
    return [(pk, guest) for pk, guest in drafts.values_list("pk", "guest").iterator() if guest not in reached]


def live_sessions(now: datetime) -> Iterator[dict[str, Any]]:
    store = import_string(f"{settings.SESSION_ENGINE}.SessionStore")()
    for data in Session.objects.filter(expire_date__gt=now).values_list("session_data", flat=True).iterator():
        try:
            # The store's own `decode` returns an empty session instead of failing.
            yield signing.loads(data, salt=store.key_salt, serializer=store.serializer)
        except (signing.BadSignature, ValueError) as wrong:
            raise Unreadable("a session cannot be read with this secret key.") from wrong
