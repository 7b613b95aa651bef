"""A SQLite database, copied and restored by SQLite's backup interface, each in one transaction."""

import contextlib
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

from django.db import connection

from characters.management.progress import ProgressPrinter

from .folder import BackupError

NAME = "database.sqlite3"
PAGES = 1_000  # pages at a time: 4 MB
PATIENCE = 5  # seconds


class Sqlite:
    def __init__(self, say: Callable[[str], None]) -> None:
        self.path, self.progress = Path(connection.settings_dict["NAME"]).absolute(), ProgressPrinter(say)

    def refuse_unable(self) -> None:
        """Never refuses, since Python needs no other programs."""

    def copy(self, folder: Path) -> None:
        """Copy the database as of one moment. Nobody waits for that; writes in the meantime are not in the copy."""
        with opened(self.path) as site, opened(folder / NAME) as copy:
            # A transaction that has read something fixes the moment. Without one, each write would restart the copy.
            site.execute("BEGIN")
            site.execute("SELECT * FROM sqlite_master").fetchone()
            copy.execute("PRAGMA synchronous=OFF")  # it is flushed together with the manifest
            self.pour(site, copy)
            # A single file, with no log beside it that could be forgotten.
            copy.execute("PRAGMA journal_mode=DELETE")

    @contextlib.contextmanager
    def restored(self, folder: Path) -> Iterator[str]:
        """The address of a database into which the copy was restored. It is deleted after the block."""
        with tempfile.TemporaryDirectory(prefix="checking-", dir=folder) as place:
            path = Path(place) / NAME
            self.put(folder, path)
            refuse_damaged(path)
            yield f"sqlite:///{quote(str(path))}"

    def refuse_in_use(self) -> None:
        """Refuse if others are connected, which keeps SQLite from removing the log beside the file."""
        with opened(self.path) as database:
            try:
                database.execute("PRAGMA journal_mode=DELETE")
            except sqlite3.OperationalError:
                raise BackupError(f"{self.path} is in use. Stop the site, and whatever else reads it, first.") from None

    def put_back(self, folder: Path) -> None:
        self.put(folder, self.path)

    def put(self, folder: Path, place: Path) -> None:
        """Restore into this place, all or nothing. SQLite itself handles files that a crashed site left beside its
        database."""
        with opened(folder / NAME) as copy, opened(place) as database:
            self.pour(copy, database)

    def pour(self, one: sqlite3.Connection, other: sqlite3.Connection) -> None:
        def tell(status: int, left: int, pages: int) -> None:
            self.progress.tell(f"{pages - left:,} of {pages:,} pages copied ...")

        one.backup(other, pages=PAGES, progress=tell)


def refuse_damaged(path: Path) -> None:
    with opened(path) as database:
        (found,) = database.execute("PRAGMA integrity_check").fetchone()
        if stray := database.execute("PRAGMA foreign_key_check").fetchone():
            found = f"a row of {stray[0]} belongs to one that is not there"
    if found != "ok":
        raise BackupError(f"The copy is damaged: {found}.")


@contextlib.contextmanager
def opened(path: Path) -> Iterator[sqlite3.Connection]:
    try:
        with contextlib.closing(sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)) as database:
            yield database
    except sqlite3.Error as error:
        raise BackupError(f"The database {path} cannot be used: {error}.") from None
