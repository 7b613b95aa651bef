"""Queries that are put together once and asked many times.

Building the SQL of a union over a dozen tables costs several times what the database needs to answer it, and every
page about a character asks it. So the SQL is made once per process, with marks where a number belongs.
"""

from collections.abc import Callable, Iterable
from functools import cached_property

from django.db import connection
from django.db.models import QuerySet

# No row has these ids.
MARKS = (-7_001, -7_002)
NO_ROW = -1


class Prepared:
    """`build` gets one id for each mark it takes and answers a query of plain values."""

    def __init__(self, build: Callable[..., QuerySet], takes: int = 1):
        self.build = build
        self.marks = MARKS[:takes]

    @cached_property
    def compiled(self) -> tuple[str, tuple]:
        return self.build(*self.marks).query.sql_with_params()

    def rows(self, *ids: int | None) -> Iterable[tuple]:
        """The rows for these ids; None stands for an id that no row has."""
        sql, params = self.compiled
        numbers = dict(zip(self.marks, (NO_ROW if number is None else number for number in ids), strict=True))
        with connection.cursor() as cursor:
            cursor.execute(sql, [numbers.get(param, param) if isinstance(param, int) else param for param in params])
            return cursor.fetchall()
