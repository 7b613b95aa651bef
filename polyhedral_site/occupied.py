"""Locks on the data folder: servers share it; a restore has it alone. The system releases the lock however a process
ends.

While a backup is being restored, the locked file has its name. If the name is there without a lock, the restore was
interrupted, and the folder is not served, since it may be half one site and half another.
"""

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from django.core.exceptions import ImproperlyConfigured

from .environment import make_data_dir

NAME, SERVED = "in-use", "served"


@contextlib.contextmanager
def shared(data_dir: Path) -> Iterator[None]:
    """A shared lock, to serve or prepare the site. Raises ImproperlyConfigured during a restore, or if one was
    interrupted."""
    try:
        file = (data_dir / NAME).open("a+")
    except OSError:
        yield  # nobody can restore into a folder that cannot be written, so no lock is needed
        return
    with file:
        lock(file, fcntl.LOCK_SH, "A backup is being restored here. Start the site when that is done.")
        if unfinished := read(file):
            raise ImproperlyConfigured(
                f"A restore stopped halfway. Before you start the site, run it again: manage.py restore {unfinished}"
            )
        yield


@contextlib.contextmanager
def only_server(data_dir: Path) -> Iterator[None]:
    """An exclusive lock, for a server on SQLite: a second server would not hear of the first one's changes. Raises
    ImproperlyConfigured while another server has it."""
    try:
        file = (data_dir / SERVED).open("a")
    except OSError:
        yield  # nothing can be changed here, so there is nothing to hear of
        return
    with file:
        lock(
            file,
            fcntl.LOCK_EX,
            f"The site in {data_dir} is running already, and on SQLite it can have only one server. Stop that one "
            "first, or use PostgreSQL (DATABASE_URL) to have more.",
        )
        yield


@contextlib.contextmanager
def alone(data_dir: Path) -> Iterator[TextIO]:
    """An exclusive lock, for a restore. Yields the open file, to `write`. Raises ImproperlyConfigured while the site
    runs."""
    make_data_dir(data_dir)
    with (data_dir / NAME).open("a+") as file:
        lock(file, fcntl.LOCK_EX, "The site is running. Stop it first: a restore replaces the data that it uses.")
        yield file


def lock(file: TextIO, how: int, refusal: str) -> None:
    """Take the lock. Raises ImproperlyConfigured with the sentence `refusal` while another process has it."""
    try:
        fcntl.flock(file, how | fcntl.LOCK_NB)
    except BlockingIOError:
        raise ImproperlyConfigured(refusal) from None


def read(file: TextIO) -> str:
    file.seek(0)
    return file.read()


def write(file: TextIO, backup: str) -> None:
    """Store the name of the backup that is being restored; "" when that is done."""
    file.truncate(0)
    file.write(backup)
    file.flush()
    os.fsync(file.fileno())
