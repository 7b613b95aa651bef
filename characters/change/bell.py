"""Telling that something has changed: rung in the transaction of a change, heard once that is committed.

The news says only that a thing has moved, never its new state: each listener asks for that by their own right.
On PostgreSQL every process hears it, by NOTIFY. SQLite is served by one process, which hears itself.
"""

from collections.abc import Callable
from functools import partial

from django.db import connection, transaction

CHANNEL = "moved"
EARS: list[Callable[[str], None]] = []  # of this process, where the database does not tell; each may be in any thread


def ring(kind: str, pk: int) -> None:
    """Tell, once the transaction is over, that this has changed: a character, its proposals, a campaign or a screen."""
    thing = f"{kind} {pk}"
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, thing])
    else:
        transaction.on_commit(partial(_heard, thing), robust=True)


def _heard(thing: str) -> None:
    for ear in EARS:
        ear(thing)
