"""Sessions are renewed: the time until one ends counts from the last visit
(docs/decisions/016-sessions-are-renewed.md)."""

import contextlib
from collections.abc import Iterator
from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponseBase
from django.utils import timezone

from .middleware import Respond

AT_MOST_EVERY = timedelta(days=1)
KEPT = timedelta(days=30)


def renew(get_response: Respond) -> Respond:
    """Once a day, postpone the end of a session that is in use, and tell the browser.

    This is one guarded UPDATE of only the end, since a sign-in or sign-out may change the rest of the session
    meanwhile.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        session = request.session
        end = getattr(session, "ends", None)
        renewable = session.session_key and not response.streaming
        if end and renewable and end < now_ends() - AT_MOST_EVERY:
            with contextlib.suppress(DatabaseError), hardly_waiting():  # busy or full: the next visit can do it
                rows = Session.objects.filter(session_key=session.session_key, expire_date=end)
                if rows.update(expire_date=now_ends()):
                    remind(response, session.session_key)
        return response

    return middleware


@contextlib.contextmanager
def hardly_waiting() -> Iterator[None]:
    """On SQLite, wait a tenth of a second for other writers, not 20 s: two requests that wait would hold up all
    pages."""
    if connection.vendor != "sqlite":
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout=100")
        try:
            yield
        finally:
            cursor.execute(f"PRAGMA busy_timeout={connection.settings_dict['OPTIONS']['timeout']}000")


def now_ends() -> datetime:
    """The new end of a session that is used now."""
    return timezone.now() + timedelta(seconds=settings.SESSION_COOKIE_AGE)


def forget_ended() -> None:
    """Delete sessions that ended more than 30 days ago. Newer ones stay, so that no guest loses characters because a
    clock was some days ahead."""
    Session.objects.filter(expire_date__lt=timezone.now() - KEPT).delete()


def remind(response: HttpResponseBase, key: str) -> None:
    response.set_cookie(
        settings.SESSION_COOKIE_NAME,
        key,
        max_age=settings.SESSION_COOKIE_AGE,
        domain=settings.SESSION_COOKIE_DOMAIN,
        path=settings.SESSION_COOKIE_PATH,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=settings.SESSION_COOKIE_HTTPONLY,
        samesite=settings.SESSION_COOKIE_SAMESITE,
    )
