"""Hearing what any process has changed: one connection to PostgreSQL for each process, which comes back by itself."""

import asyncio
import logging
from collections.abc import Callable

import psycopg
from django.db import connection

from characters.change.bell import CHANNEL

AGAIN = 1  # seconds after it was lost

LOG = logging.getLogger(__name__)


async def listen(hear: Callable[[str], None], deaf: Callable[[], None]) -> None:
    """`hear` everything; `deaf` is said when hearing begins, since what was rung before has passed."""
    while True:
        try:
            async with await psycopg.AsyncConnection.connect(**address()) as line:
                await line.execute(f"LISTEN {CHANNEL}")
                deaf()
                async for notice in line.notifies():
                    hear(notice.payload)
        except psycopg.Error as error:
            # One line in the log stands for many: polyhedral_site/logs.py.
            LOG.warning("What other processes change is not heard: %s", type(error).__name__)
        await asyncio.sleep(AGAIN)


def address() -> dict:
    """The database's, without what Django's own cursors need."""
    of_django = {"cursor_factory", "context", "prepare_threshold"}
    found = {name: value for name, value in connection.get_connection_params().items() if name not in of_django}
    return {**found, "autocommit": True}
