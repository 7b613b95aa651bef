"""Telling open pages that something has changed: announced within the transaction of a change, heard after its commit.

An announcement says only which thing has changed, never its new state: each listener asks for that with its own rights.
On PostgreSQL every process hears it, by NOTIFY. SQLite is served by one process, which hears itself.
"""

from collections.abc import Callable
from functools import partial

from django.db import connection, transaction

CHANNEL = "moved"
# Called in this process, from any thread, where the database does not notify.
LISTENERS: list[Callable[[str], None]] = []


def announce(kind: str, *names: int | str) -> None:
    """Tell, once the transaction is committed, that a character, its proposals, a campaign, a member or a screen has
    changed; that a character (the first number) has left a campaign (the second): `unseated`; or that the seat at a
    campaign has left the device of this guest: `device`."""
    thing = " ".join([kind, *map(str, names)])
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, thing])
    else:
        transaction.on_commit(partial(_heard, thing), robust=True)


def _heard(thing: str) -> None:
    for listener in LISTENERS:
        listener(thing)
