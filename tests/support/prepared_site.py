"""Everything that `manage.py prepare` makes, on SQLite and on PostgreSQL, for copying.

The first process of a run that needs it makes it, and the others wait. So migrations run once for each database,
and the static files, which are the same for both, are compressed once.
"""

import atexit
import contextlib
import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

from . import postgres

ROOT = Path(__file__).parent.parent.parent
COLLECT = "from polyhedral_site.management.commands.prepare import collect_static; collect_static()"
SHARED = "PREPARED"  # the variable that names the folder to child processes


def share():
    """Make the folder that this process shares with its children. It is deleted at exit."""
    if SHARED not in os.environ:
        os.environ[SHARED] = tempfile.mkdtemp(prefix="polyhedral-prepared-")
        atexit.register(shutil.rmtree, os.environ[SHARED], ignore_errors=True)
    return Path(os.environ[SHARED])


@cache
def collected():
    """A data folder with nothing but the static files."""
    return made("collected", collect)


@cache
def on_sqlite():
    """The data folder of a site, its database in it."""
    return made("sqlite", prepare)


@cache
def on_postgresql():
    """The data folder of a site, and the data of its PostgreSQL, stopped once everything was made."""
    home = made("postgresql", prepare_on_postgresql)
    return home / "site", home / "server"


def made(name, make):
    folder = share() / name
    with open(folder.with_suffix(".lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            half = folder.with_suffix(".half")
            half.mkdir()
            make(half)
            half.rename(folder)
    return folder


def collect(folder):
    # With a key in the environment none is written, so that each copied site makes its own.
    manage(folder, "shell", "--no-imports", "--command", COLLECT, SECRET_KEY="no site's")


def prepare(folder, **variables):
    shutil.copytree(collected(), folder, dirs_exist_ok=True)
    manage(folder, "prepare", **variables)


def manage(folder, *command, **variables):
    environment = {"PATH": os.environ["PATH"], "DATA_DIR": str(folder), **variables}
    subprocess.run([sys.executable, "manage.py", *command], cwd=ROOT, env=environment, check=True, capture_output=True)


def prepare_on_postgresql(folder):
    (folder / "site").mkdir()
    with postgres.server(left_in=folder / "server") as url:
        prepare(folder / "site", DATABASE_URL=url)


@contextlib.contextmanager
def postgresql(folder):
    """The URL of a server with a prepared site whose data folder is copied here."""
    site, server = on_postgresql()
    shutil.copytree(site, folder, dirs_exist_ok=True)
    with postgres.server(begun_from=server) as url:
        yield url
