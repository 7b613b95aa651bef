"""The log: an id for each error, no tokens that give access, and one line a minute for an event that keeps
happening."""

import logging
import re

from .errors import error_id
from .outages import outage_of

MINUTE = 60

# The addresses of links that are shown once and stored as a hash, or are sent by mail. Their tokens give access.
OPEN_TO_WHOEVER_HAS_IT = re.compile(
    r"(/(?:shared|join|device|screen|stream|unsubscribe|accounts/confirm-email|accounts/password/reset/key)/)[^/\s]+"
)

type Event = tuple[int, str, str | None]  # (level, first line, error)


class ErrorIdFilter(logging.Filter):
    """Gives each server error the id that its page shows. Drops the traceback of an outage, whose cause is known, and
    of pages that the site itself refuses, such as those of the admin."""

    def filter(self, record: logging.LogRecord) -> bool:
        if getattr(record, "status_code", 500) < 500:
            record.exc_info = None
        request = getattr(record, "request", None)
        failed = record.levelno >= logging.ERROR and hasattr(request, "META")
        record.error_id = error_id(request) if failed else "-"
        error = record.exc_info and record.exc_info[1]
        if failed and error and outage_of(error):
            record.msg, record.args, record.exc_info = "%s (%s)", (record.getMessage(), error), None
        return True


class WithoutTokens(logging.Formatter):
    """Formats lines without the tokens of links, which must not give readers of the log access. A refused form is
    logged with its address, and the link of an invite still works after that."""

    def format(self, record: logging.LogRecord) -> str:
        return OPEN_TO_WHOEVER_HAS_IT.sub(r"\1…", super().format(record))


class OnceAMinute(logging.Filter):
    def __init__(self) -> None:
        super().__init__()
        self.said: dict[Event, tuple[float, int]] = {}  # event -> (time of its last line, lines left out since)

    def event(self, record: logging.LogRecord) -> Event:
        error = record.exc_info and repr(record.exc_info[1])
        return record.levelno, str(record.msg).partition("\n")[0], error or None

    def filter(self, record: logging.LogRecord) -> bool:
        what = self.event(record)
        last, left_out = self.said.get(what, (0, 0))
        if 0 <= record.created - last < MINUTE:  # below 0, the clock was set back
            self.said[what] = (last, left_out + 1)
            return False
        if len(self.said) > 1000:
            self.said.clear()
        self.said[what] = (record.created, 0)
        if left_out:
            record.msg = f"{record.msg} (and {left_out} more like it)"
        return True


class WrongHost(OnceAMinute):
    """Requests for host names that are not ours. Strangers choose the names, so all count as one event."""

    def event(self, record: logging.LogRecord) -> Event:
        return record.levelno, record.name, None
