"""Exits with one sentence if something keeps the site from starting, wherever that is found."""

import contextlib
import errno
import os
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError, connection

from .outages import FULL, outage_of

# The errors of a disk that is full, read-only or someone else's.
DISK = {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM, errno.EFBIG}


@contextlib.contextmanager
def plainly() -> Iterator[None]:
    """Exit with a sentence if a setting cannot be used, the database cannot be reached, or nothing can be written."""
    try:
        try:
            yield
        except DatabaseError as error:
            look_for_the_database()  # raises if that is the cause
            if outage_of(error) is FULL:
                name = connection.settings_dict["NAME"]
                raise ImproperlyConfigured(f"The database {name} cannot be written: {error}.") from None
            look_for_tables()
            raise
    except ImproperlyConfigured as error:
        raise SystemExit(str(error)) from None
    except BrokenPipeError:
        # The reader of the output, such as `head`, has closed it. Python would complain again when it flushes.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(1) from None
    except OSError as error:
        if error.errno not in DISK:
            raise
        # An error in writing to an open file does not name the file.
        place = error.filename or f"{settings.DATA_DIR}, or another folder that this command writes,"
        raise SystemExit(f"{place} cannot be used: {error.strerror}.") from None


def look_for_the_database() -> None:
    """Raise ImproperlyConfigured, with the reason, if the database cannot be reached with these settings."""
    if connection.vendor == "sqlite":
        look_for_the_file(Path(connection.settings_dict["NAME"]))
    else:
        ask_the_server()


def look_for_tables() -> None:
    """Raise ImproperlyConfigured if the database is empty, as it is if the site's environment variables are not set."""
    if not connection.introspection.table_names():
        raise ImproperlyConfigured(
            f"The database {connection.settings_dict['NAME']} is empty. If your site has another one, set DATA_DIR or "
            "DATABASE_URL as for the site; if this is a new site, run manage.py prepare first."
        )


def look_for_the_file(path: Path) -> None:
    if not path.parent.is_dir():
        raise ImproperlyConfigured(f"The folder of the database is not there: {path.parent.absolute()}. Make it first.")
    if path.is_dir():
        raise ImproperlyConfigured(f"The database must be a file, but {path} is a folder.")
    # Let only SQLite open the file: if anything else closes it, the process loses all its locks on it.
    try:
        connection.ensure_connection()
    except DatabaseError as error:
        if getattr(error.__cause__, "sqlite_errorcode", None) == sqlite3.SQLITE_NOTADB:
            raise ImproperlyConfigured(f"{path} is not an SQLite database. Nothing was changed in it.") from None
        raise ImproperlyConfigured(f"The database {path} cannot be opened: {error}.") from None


def ask_the_server() -> None:
    """Connect outside the pool, which would only report a timeout."""
    import psycopg

    try:
        psycopg.connect(**connection.get_connection_params()).close()
    except psycopg.Error as error:
        reason = str(error).partition("\n")[0].rstrip(" .")
        raise ImproperlyConfigured(f"PostgreSQL cannot be reached at the address in DATABASE_URL: {reason}.") from None
