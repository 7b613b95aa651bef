"""A backup compared with the cheapest copy of the whole database, which is not of a single moment and never checked."""

import shutil
import tempfile
from pathlib import Path
from statistics import median

from django.db import connection

from characters.change.replay import fault_of
from polyhedral_site.backup.database import database
from polyhedral_site.backup.folder import settle

from .figures import computed, judged, told
from .players import character
from .restart import CHANGES, with_history
from .server_load import timed

ROUNDS, MOST = 9, 10


@computed("replay a journal, level 30", target=10)
def replay_one():
    pk = character(30, 703).pk
    assert fault_of(pk) == ""
    return lambda: fault_of(pk)


@told(f"copying for a backup, at {CHANGES:,} changes, to reading the database")
def copying(host):
    with_history(character(1, 702))
    if connection.vendor == "sqlite":
        connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")  # otherwise most data would be outside the file
    rounds = []
    for _ in range(ROUNDS):
        with tempfile.TemporaryDirectory() as place:
            copied = timed(lambda folder=Path(place): database(lambda line: None).copy(folder))
            read = timed(lambda folder=Path(place): read_all(folder / "plain"))
        rounds.append((copied, read))
    ratio = median(copied / read for copied, read in rounds)
    copied, read = (median(times) for times in zip(*rounds, strict=True))
    return judged(f"{copied * 1000:.0f} ms to {read * 1000:.0f} ms, ratio {ratio:.1f}, at most {MOST}", ratio > MOST)


def read_all(place: Path) -> None:
    """Copy the SQLite file or, on PostgreSQL, every table as the server writes it."""
    if connection.vendor == "sqlite":
        shutil.copyfile(connection.settings_dict["NAME"], place)
        settle(place)
        return
    with connection.cursor() as cursor, place.open("wb") as file:
        for table in connection.introspection.table_names():
            with cursor.copy(f"COPY {connection.ops.quote_name(table)} TO STDOUT") as rows:
                for row in rows:
                    file.write(row)
