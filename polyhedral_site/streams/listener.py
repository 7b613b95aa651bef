"""Listens for the changes of all processes. Each process has one connection to PostgreSQL for this, and opens it again
if it breaks."""

import asyncio
import logging
from collections.abc import Callable
from typing import Any

import psycopg
from django.db import connection

from characters.change.announcements import CHANNEL

AGAIN = 1  # seconds before a lost connection is opened again

LOG = logging.getLogger(__name__)


async def listen(hear: Callable[[str], None], deaf: Callable[[], None]) -> None:
    """Call `hear` with each notice. Call `deaf` whenever listening begins, because earlier notices were missed."""
    while True:
        try:
            async with await psycopg.AsyncConnection.connect(**address()) as line:
                await line.execute(f"LISTEN {CHANNEL}")
                deaf()
                async for notice in line.notifies():
                    hear(notice.payload)
        except psycopg.Error as error:
            # The log writes this once a minute at most (polyhedral_site/logs.py).
            LOG.warning("Changes made by other processes are not heard: %s", type(error).__name__)
        await asyncio.sleep(AGAIN)


def address() -> dict[str, Any]:
    """The parameters of the database's connection, without those for Django's own cursors."""
    of_django = {"cursor_factory", "context", "prepare_threshold"}
    found = {name: value for name, value in connection.get_connection_params().items() if name not in of_django}
    return {**found, "autocommit": True}
