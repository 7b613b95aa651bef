"""Tells monitoring whether the site can serve and store."""

import os
import tempfile
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from rules.models import Source

from . import migration_state
from .backup.folder import LAST

WELL = {"database": "answers", "site": "is prepared", "storage": "can be written"}
PROBE = b"\0" * 262_144


@require_safe
@never_cache
def health(request: HttpRequest) -> JsonResponse:
    """200 if the database answers, is prepared and can be written; otherwise 503 with the reason. Also has the time of
    the last backup that was made and checked."""
    try:
        told = {**WELL, "site": unprepared() or WELL["site"], "storage": unwritable() or WELL["storage"]}
    except DatabaseError:
        told = {"database": "does not answer"}
    return JsonResponse({**told, "backup": last_backup()}, status=200 if told == WELL else 503)


def last_backup() -> str:
    try:
        return (settings.DATA_DIR / LAST).read_text()
    except OSError:
        return "none yet"


def unprepared() -> str:
    """The work that `manage.py prepare` still has to do."""
    if not migration_state.known() <= set(migration_state.applied()):
        return "lacks tables: run manage.py prepare"
    return "" if Source.objects.published().exists() else "lacks rules: run manage.py prepare"


def unwritable() -> str:
    """The reason why the database cannot be written; "" if it can. This is found without writing to the database,
    because a GET never writes.

    On PostgreSQL, this cannot tell if the disk is full.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SHOW transaction_read_only")
            return "is read-only" if cursor.fetchone()[0] == "on" else ""
    path = Path(connection.settings_dict["NAME"])
    if not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)):
        return "is read-only"
    try:
        with tempfile.TemporaryFile(dir=path.parent) as probe:
            probe.write(PROBE)
    except OSError as error:
        return f"cannot be written: {error.strerror}"
    return ""
