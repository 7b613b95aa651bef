"""The database that the site runs on."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from django.db import connection

from .sqlite import Sqlite

if TYPE_CHECKING:
    from .postgresql import Postgresql


def database(say: Callable[[str], None]) -> "Sqlite | Postgresql":
    if connection.vendor != "postgresql":
        return Sqlite(say)
    from .postgresql import Postgresql  # not loaded for SQLite: it takes a seventh of a backup

    return Postgresql(say)
