"""Counts the steps that the database takes. The number is the same each time, however busy the machine is."""

from django.db import connection
from django.test.utils import CaptureQueriesContext


def steps_of(act):
    """The steps that SQLite takes for `act`, in tens. On PostgreSQL, the number of queries."""
    if connection.vendor != "sqlite":
        with CaptureQueriesContext(connection) as queries:
            act()
        return len(queries)
    counted = 0

    def count():
        nonlocal counted
        counted += 1

    connection.connection.set_progress_handler(count, 10)
    try:
        act()
    finally:
        connection.connection.set_progress_handler(None, 0)
    return counted


def grown(seat, many):
    """Give the seat's character a history: a hit, healing, a roll and its undoing, `many` times."""
    for _ in range(many):
        seat.take_damage(amount="1")
        seat.adjust(resource="health", by="+1")
        seat.undo(seat.roll(roll="skill.athletics"))


def more(before, after):
    """The entries that take clearly more steps after than before."""
    return {name: (steps, after[name]) for name, steps in before.items() if after[name] > 1.2 * steps + 5}
