"""A PostgreSQL database, by its own programs: pg_dump, which sees the database at a single moment, and psql."""

import contextlib
import gzip
import os
import re
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any
from urllib.parse import quote, urlencode

import psycopg
from django.db import DatabaseError, connection
from psycopg.conninfo import make_conninfo

from characters.management.progress import ProgressPrinter
from polyhedral_site.environment import PREPARED

from .folder import BackupError

NAME = "database.sql.gz"
CHUNK = 1 << 20
PATIENCE = 5  # seconds
OTHERS = (
    "SELECT count(*) FROM pg_stat_activity "
    "WHERE datname = current_database() AND usename IS NOT NULL AND pid <> pg_backend_pid()"
)


class Postgresql:
    def __init__(self, say: Callable[[str], None]) -> None:
        self.settings, self.progress = connection.settings_dict, ProgressPrinter(say)
        # These options are only for the site's own connections: a dump may take longer, and plans no statements.
        ours = {"pool", "options", *PREPARED}
        options = {key: value for key, value in self.settings["OPTIONS"].items() if key not in ours}
        given = {"host": self.settings["HOST"], "port": self.settings["PORT"], **options}
        self.options = {key: value for key, value in given.items() if value}
        self.checking = f"{self.settings['NAME']}_checking"

    def refuse_unable(self) -> None:
        """Refuse if these programs are missing or older than the server, or if no database can be created to check the
        copy."""
        asked = self.run(["pg_dump", "--version"])
        (found,) = re.findall(rb"(\d+)", asked)[:1]
        needed = connection.pg_version // 10_000
        if int(found) < needed:
            raise BackupError(
                f"pg_dump is from PostgreSQL {int(found)}, and the server is PostgreSQL {needed}. "
                f"Install the client of PostgreSQL {needed} (Debian: apt install postgresql-client-{needed})."
            )
        self.run(["psql", "--version"])
        user, may = ask("SELECT rolname, rolcreatedb OR rolsuper FROM pg_roles WHERE rolname = current_user")
        if not may:
            raise BackupError(
                f"The backup is checked by restoring it into a separate database, and {user} may not make one. "
                f'Ask someone who may to run: ALTER ROLE "{user}" CREATEDB'
            )

    def copy(self, folder: Path) -> None:
        command = ["pg_dump", "--format=plain", "--compress=6", "--no-owner", "--no-acl", f"--file={folder / NAME}"]
        with tempfile.TemporaryFile() as said:
            with self.started([*command, self.named()], stderr=said) as dump:
                while dump.poll() is None:
                    time.sleep(0.05)
                    size = (folder / NAME).stat().st_size if (folder / NAME).exists() else 0
                    self.progress.tell(f"{size / 1e6:,.1f} MB written ...")
            refuse_failed(command[0], dump.returncode, said)

    @contextlib.contextmanager
    def restored(self, folder: Path) -> Iterator[str]:
        """The address of a database into which the copy was restored. It is deleted after the block."""
        name = connection.ops.quote_name(self.checking)
        do(f"DROP DATABASE IF EXISTS {name}")  # left over from an interrupted backup
        do(f"CREATE DATABASE {name} TEMPLATE template0")
        try:
            self.put(folder, self.checking)
            yield self.address(self.checking)
        finally:
            do(f"DROP DATABASE {name} WITH (FORCE)")

    def refuse_in_use(self) -> None:
        """Refuse if others are connected. It waits a little, since a killed server stays connected for a moment."""
        connection.close_pool()
        until = time.monotonic() + PATIENCE
        with psycopg.connect(**connection.get_connection_params(), autocommit=True) as only:
            while (number := only.execute(OTHERS).fetchall()[0][0]) and time.monotonic() < until:
                time.sleep(0.1)
        if number:
            raise BackupError(
                f"The database has {number} other connection{'s' * (number > 1)}. "
                "Stop the site, and whatever else is connected, first."
            )

    def put_back(self, folder: Path) -> None:
        tables = ", ".join(map(connection.ops.quote_name, connection.introspection.table_names()))
        connection.close()
        connection.close_pool()
        self.put(folder, self.settings["NAME"], f"DROP TABLE {tables} CASCADE;\n" if tables else "")

    def put(self, folder: Path, database: str, first: str = "") -> None:
        """Restore into this database, all or nothing: in one transaction, committed last. If this process dies before
        that, psql ends, too."""
        command = ["psql", "--quiet", "--no-psqlrc", "--set=ON_ERROR_STOP=1", self.named(database)]
        path = folder / NAME
        size = path.stat().st_size
        with tempfile.TemporaryFile() as said:
            with (
                contextlib.suppress(BrokenPipeError),  # psql has ended; its output says why
                path.open("rb") as packed,
                gzip.open(packed) as script,
                self.started(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=said) as psql,
            ):
                assert psql.stdin is not None  # a pipe
                psql.stdin.write(f"BEGIN;\n{first}".encode())
                while chunk := script.read(CHUNK):
                    psql.stdin.write(chunk)
                    self.progress.tell(f"{packed.tell() * 100 // size}% of the database restored ...")
                psql.stdin.write(b"\nCOMMIT;\n")
            refuse_failed(command[0], psql.returncode, said)

    def named(self, database: str = "") -> str:
        """The argument that names the database to these programs, without the password."""
        where = {**self.options, "dbname": database or self.settings["NAME"]}
        if self.settings["USER"]:
            where["user"] = self.settings["USER"]
        return f"--dbname={make_conninfo(**where)}"

    def address(self, database: str) -> str:
        user, password = (quote(self.settings[key], safe="") for key in ("USER", "PASSWORD"))
        who = f"{user}{f':{password}' if password else ''}@" if user else ""
        return f"postgresql://{who}/{quote(database, safe='')}?{urlencode(self.options)}"

    def started(self, command: Sequence[str], **pipes: Any) -> subprocess.Popen[bytes]:
        password = self.settings["PASSWORD"]
        environment = {**os.environ, **({"PGPASSWORD": password} if password else {})}
        try:
            return subprocess.Popen(command, env=environment, **pipes)  # noqa: S603
        except FileNotFoundError:
            raise BackupError(
                f"{command[0]} is not installed. It comes with the client of PostgreSQL (Debian: apt install "
                "postgresql-client)."
            ) from None

    def run(self, command: Sequence[str]) -> bytes:
        with tempfile.TemporaryFile() as said:
            with self.started(command, stdout=subprocess.PIPE, stderr=said) as program:
                answer, _ = program.communicate()
            refuse_failed(command[0], program.returncode, said)
        return answer


def refuse_failed(program: str, status: int, said: IO[bytes]) -> None:
    if status:
        said.seek(0)
        lines = said.read().decode(errors="replace").strip().splitlines() or ["it gave no reason"]
        reason = next((line for line in lines if "ERROR" in line), lines[-1])
        raise BackupError(f"{program} failed: {reason.rstrip('.')}.")


def ask(question: str) -> tuple[Any, ...]:
    with connection.cursor() as cursor:
        cursor.execute(question)
        return cursor.fetchone()


def do(statement: str) -> None:
    try:
        with connection.cursor() as cursor:
            cursor.execute(statement)
    except DatabaseError as error:
        reason = str(error).partition("\n")[0]
        raise BackupError(f"PostgreSQL cannot make a database to check the copy in: {reason}.") from None
