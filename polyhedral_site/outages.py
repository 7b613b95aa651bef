"""Outages of the database. They are not errors of the program, and a form that met one can be sent again."""

from dataclasses import dataclass

from django.db import Error, InterfaceError, OperationalError


@dataclass(frozen=True)
class Outage:
    status: int
    retry_after: int  # seconds
    sentence: str


BUSY = Outage(503, 5, "The site is busy, or someone is working on it. Try again in a moment.")
UPDATED = Outage(503, 1, "The site has just been brought up to date. Try again.")
UNPREPARED = Outage(503, 60, "The site is not ready yet. Try again in a few minutes.")
FULL = Outage(507, 60, "The site cannot save anything at the moment, but you can still read its pages.")

# SQLite's result codes: https://www.sqlite.org/rescode.html
SQLITE_BUSY = {5, 6, 14}  # busy, locked, cannot open
SQLITE_FULL = {8, 10, 13}  # read-only, input or output failed, full
# PostgreSQL's: https://www.postgresql.org/docs/current/errcodes-appendix.html
POSTGRESQL_FULL = {"25006", "53100"}  # read-only, disk full


class NotStored(OperationalError):
    """Nothing could be written. `__cause__` is the error of the database, if known."""


def outage_of(error: BaseException | None) -> Outage | None:
    """The outage behind an error, in words for the visitor; None if the error is not an outage."""
    if isinstance(error, NotStored):
        return outage_of(error.__cause__) or FULL
    if not isinstance(error, Error):
        return None
    cause = error.__cause__
    code = getattr(cause, "sqlite_errorcode", None)
    if code is not None:
        primary = code & 0xFF  # the higher bits only add detail
        return FULL if primary in SQLITE_FULL else BUSY if primary in SQLITE_BUSY else None
    if getattr(cause, "sqlstate", None) in POSTGRESQL_FULL:
        return FULL
    from_server = type(cause).__module__.startswith("psycopg")
    # PostgreSQL refuses a planned statement if a column of its result has changed its type. Its code has other uses,
    # too.
    if from_server and cause.diag.source_function == "RevalidateCachedQuery":
        return UPDATED
    # On PostgreSQL, these are operational errors, too: away, shutting down, out of connections, a lock held too long.
    return BUSY if from_server and isinstance(error, (OperationalError, InterfaceError)) else None
