"""Makes a backup, and checks it by restoring it elsewhere."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from django.conf import settings
from django.db import connection

from characters.change.replay import replay_all
from polyhedral_site import migration_state
from polyhedral_site.saying import look_for_the_database

from . import key
from .database import database
from .folder import LAST, BackupError, Manifest, make_private, write


def make_backup(folder: Path, say: Callable[[str], None]) -> None:
    """Make a backup of the site, which may be running. Raises BackupError; otherwise the folder is a good backup."""
    look_for_the_database()
    if not connection.introspection.table_names():
        raise BackupError("There is nothing to back up: the database is empty.")
    manifest = Manifest(connection.vendor, migration_state.applied())
    migration_state.refuse_unknown(manifest.migrations, "The database")
    source = database(say)
    source.refuse_unable()
    make_private(folder)
    say("Copying the database ...")
    source.copy(folder)
    key.copy(folder)
    say("Checking the copy, by restoring it into a separate place ...")
    with source.restored(folder) as address:
        check(address, manifest, say)
    write(folder, manifest)
    note_time(manifest, say)


def note_time(manifest: Manifest, say: Callable[[str], None]) -> None:
    """Record the time for /health/. The backup is good even if this fails for lack of room on the site's disk."""
    last = settings.DATA_DIR / LAST
    written = last.with_name(f"{LAST}.new")
    try:
        written.write_text(manifest.made_at)
        written.rename(last)
    except OSError as error:
        say(f"The day of this backup, which /health/ shows, could not be written to {last}: {error.strerror}.")


def check(address: str, manifest: Manifest, say: Callable[[str], None]) -> None:
    """Check that every journal replays in the copy. One that does not replay on the site either is not the copy's
    fault."""
    old = migration_state.known() - set(manifest.migrations)
    if old and (fault := at(address, "migrate", "--verbosity=0")):
        raise BackupError(f"This program cannot use the copy: {fault}")
    if not (fault := at(address, "check_journals")):
        return
    faults = {} if old else {pk: reason for pk, reason in replay_all() if reason}
    if not faults or at(address, "check_journals", "--except", *map(str, faults)):
        raise BackupError(f"The copy differs from the site. {fault}")
    told = ". ".join(f"Character {pk}: {reason}" for pk, reason in faults.items())
    say(f"These journals do not replay on the site itself, and the backup holds them as they are. {told}.")


def at(address: str, *command: str) -> str:
    """Run a command of this program on another database. Returns its error; "" for none."""
    done = subprocess.run(  # noqa: S603
        [sys.executable, "manage.py", *command],
        cwd=settings.BASE_DIR,
        env={**os.environ, "DATABASE_URL": address},
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    return (done.stderr.strip() or f"{command[0]} failed.").removeprefix("CommandError: ") if done.returncode else ""
