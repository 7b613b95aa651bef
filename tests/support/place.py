"""An installation of the real site: its data folder and its database. Commands run as separate processes."""

import re
import secrets
import shutil
import sqlite3
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path

import psycopg

from .guest import Guest
from .postgres import path
from .site import ROOT, serving


@dataclass
class Place:
    folder: Path
    url: str = ""  # for PostgreSQL; else the database is in the folder

    @property
    def file(self) -> Path:
        return self.folder / "polyhedral.sqlite3"

    @property
    def variables(self):
        return {"PATH": path(), "DATA_DIR": str(self.folder), "DATABASE_URL": self.url}

    def manage(self, *arguments, **variables):
        """Run a command of manage.py; returns its exit status and everything that it printed."""
        return self.run("manage.py", *arguments, **variables)

    def run(self, *arguments, **variables):
        done = self.started(*arguments, **variables)
        said, _ = done.communicate(timeout=300)
        return done.returncode, said

    def started(self, *arguments, **variables):
        return subprocess.Popen(
            [sys.executable, *map(str, arguments)],
            cwd=ROOT,
            env={**self.variables, **variables},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def serving(self, **variables):
        return serving(self.folder, DATABASE_URL=self.url, **variables)

    def empty(self, folder: Path) -> "Place":
        """An empty installation on the same kind of database."""
        folder.mkdir()
        return Place(folder, self.url and self.another("template0"))

    def copied(self, folder: Path) -> "Place":
        """A copy of this installation. PostgreSQL refuses while someone is connected to the original."""
        shutil.copytree(self.folder, folder)
        return Place(folder, self.url and self.another(self.database))

    @property
    def database(self) -> str:
        """The name of the database, on PostgreSQL."""
        return re.search(r"/([^/?]+)\?", self.url)[1]

    def another(self, template) -> str:
        """Make a database on the same server; returns its URL."""
        name = f"made_{secrets.token_hex(4)}"
        self.ask(f"CREATE DATABASE {name} TEMPLATE {template}")
        return self.url.replace(f"/{self.database}?", f"/{name}?")

    def remove(self):
        shutil.rmtree(self.folder)
        if self.url:
            maintenance = replace(self, url=self.url.replace(f"/{self.database}?", "/template1?"))
            maintenance.ask(f"DROP DATABASE {self.database} WITH (FORCE)")

    def connect(self):
        return psycopg.connect(self.url, autocommit=True) if self.url else sqlite3.connect(self.file, timeout=30)

    def ask(self, sql):
        """Run and commit one statement; returns its rows."""
        return rows_of(self.connect, sql)

    def tables(self) -> dict[str, set]:
        """Every row of every table."""
        return tables_of(self.connect)


def rows_of(connect, sql):
    connection = connect()
    try:
        cursor = connection.execute(sql)
        connection.commit()
        return cursor.fetchall() if cursor.description else []
    finally:
        connection.close()


def tables_of(connect) -> dict[str, set]:
    connection = connect()
    try:
        if isinstance(connection, sqlite3.Connection):
            names = "SELECT name FROM sqlite_master WHERE type = 'table'"
            rows = 'SELECT * FROM "{}"'
        else:
            names = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
            rows = 'SELECT row::text FROM "{}" AS row'
        found = [name for (name,) in connection.execute(names)]
        return {name: set(connection.execute(rows.format(name))) for name in found}
    finally:
        connection.close()


class Player(Guest):
    """A visitor with a finished character, which is hit, healed and given notes."""

    def __init__(self, site):
        super().__init__(site)
        page = self.ask("GET", "/")[2]
        copy = re.search(r'action="(/[^"]*copy[^"]*)"', page)[1]
        _, headers, _ = self.post(copy, key=secrets.token_hex(8))
        self.character = re.match(r"/characters/\d+/", headers["Location"])[0]

    def play(self, number, key) -> int:
        """Take one action; returns the status. Hits and healing alternate. Only every 101st action is a note, because a
        character may have no more than 200."""
        number %= 101
        if number == 100:
            return self.post(f"{self.character}play/add-note/", key=key, text=f"Note {number}.")[0]
        action = "take-damage" if number % 2 == 0 else "heal"
        return self.post(f"{self.character}play/{action}/", key=key, amount="1", type="fire", do=action)[0]
