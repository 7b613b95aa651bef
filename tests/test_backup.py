"""Backups with the real commands: restored whole or not at all, never under a running site. Guests find their sheets.

On SQLite, and on a PostgreSQL of their own, whatever the suite runs on.
"""

import json
import os
import shutil
import signal
import sqlite3
import stat
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import psycopg
import pytest

from tests.support import prepared_site
from tests.support.place import Place, Player, tables_of
from tests.support.site import copied

pytestmark = pytest.mark.slow
NAME = "Wren of the Backup"
BOTH = ["sqlite", "postgresql"]
NEWER = ("characters", "9999_future")


@dataclass
class Kept:
    """A site, a backup made while it ran, and a guest who has a character there."""

    place: Place
    folder: Path
    guest: Player
    said: str

    def restored(self, folder) -> Place:
        place = self.place.empty(folder)
        status, said = place.manage("restore", self.folder)
        assert status == 0, said
        return place

    def copy(self, folder) -> Path:
        return Path(shutil.copytree(self.folder, folder))


@pytest.fixture(params=BOTH, scope="module")
def kept(request, tmp_path_factory):
    if request.param == "sqlite":
        place = Place(copied(tmp_path_factory.mktemp("site")))
    else:
        url, folder = request.getfixturevalue("postgres")
        place = Place(folder, url)
    folder = tmp_path_factory.mktemp("backups") / "backup"
    with place.serving() as site:
        guest = Player(site)
        guest.rename(NAME)
        status, said = place.manage("backup", folder)
        assert status == 0, said
    return Kept(place, folder, guest, said)


@pytest.fixture(scope="module")
def other(kept, tmp_path_factory):
    """Another site, which tests leave as it is."""
    return kept.restored(tmp_path_factory.mktemp("other") / "data")


def found_again(kept, place):
    """The status of the guest's character there."""
    if not (place.folder / "static").exists():  # copied, because `manage.py prepare` takes long
        shutil.copytree(prepared_site.on_sqlite() / "static", place.folder / "static")
    with place.serving() as site:
        kept.guest.site = site
        status, _, page = kept.guest.ask("GET", kept.guest.character)
        assert (NAME in page) == (status == 200)
        return status


def test_guests_find_their_characters_in_an_empty_place(kept, tmp_path):
    place = kept.restored(tmp_path / "new")
    assert found_again(kept, place) == 200
    (place.folder / "secret-key").write_text("a key such as a new place makes for itself, and no session knows")
    assert found_again(kept, place) == 404  # so the restored key let the guest in


def test_a_backup_says_what_it_does_and_is_for_its_owner_only(kept):
    assert "5 journals replayed." in kept.said
    assert f"The backup is in {kept.folder}." in kept.said
    assert stat.S_IMODE(kept.folder.stat().st_mode) == 0o700
    files = list(kept.folder.iterdir())
    assert len(files) == 3
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}


def test_the_check_leaves_nothing_behind(kept):
    if kept.place.url:
        assert kept.place.ask("SELECT 1 FROM pg_database WHERE datname LIKE '%checking%'") == []
    assert {file.name for file in kept.folder.iterdir()} >= {"manifest.json", "secret-key"}


def test_a_backup_into_a_folder_that_is_not_empty_is_refused(kept, tmp_path):
    status, said = kept.place.manage("backup", kept.folder)
    assert status == 1
    assert "already holds a backup" in said
    (tmp_path / "letter").touch()
    status, said = kept.place.manage("backup", tmp_path)
    assert status == 1
    assert "is not empty" in said


def test_an_empty_place_has_nothing_to_back_up(kept, tmp_path):
    status, said = kept.place.empty(tmp_path / "new").manage("backup", tmp_path / "backup")
    assert status == 1
    assert "There is nothing to back up" in said


# Refusals, which change nothing


def refused(place, folder, sentence, *arguments, **variables):
    before = place.tables()
    status, said = place.manage("restore", folder, *arguments, **variables)
    assert status == 1, said
    assert sentence in said
    assert "Traceback" not in said
    assert place.tables() == before


def test_an_existing_site_is_replaced_only_with_the_option_replace(kept, other, tmp_path):
    refused(other, kept.folder, "There is already a site here.")
    other.ask("DELETE FROM characters_note")
    other.ask("UPDATE characters_character SET name = 'Replaced'")
    status, said = other.manage("restore", kept.folder, "--replace")
    assert status == 0, said
    assert other.ask("SELECT count(*) FROM characters_character WHERE name = 'Replaced'") == [(0,)]


def test_a_running_site_is_not_replaced(kept, other):
    shutil.copytree(prepared_site.on_sqlite() / "static", other.folder / "static", dirs_exist_ok=True)
    with other.serving() as site:
        refused(other, kept.folder, "The site is running.", "--replace")
        (other.folder / "in-use").unlink()  # as if it ran on another machine, or in another folder
        refused(other, kept.folder, "other connection" if other.url else "is in use", "--replace")
        assert site.ask("GET", "/health/")[0] == 200


def test_a_site_with_another_connection_open_is_not_replaced(kept, other):
    connection = other.connect()
    connection.execute("BEGIN")
    connection.execute("SELECT * FROM characters_note")
    if not other.url:
        connection.execute("PRAGMA journal_mode")
    try:
        refused(other, kept.folder, "other connection" if other.url else "is in use", "--replace")
    finally:
        connection.close()


def test_a_newer_backup_is_refused(kept, other, tmp_path):
    folder = kept.copy(tmp_path / "backup")
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["migrations"].append(".".join(NEWER))
    (folder / "manifest.json").write_text(json.dumps(manifest))
    refused(other, folder, "The backup comes from another version of this program", "--replace")


def test_a_backup_that_is_written_differently_is_refused(kept, tmp_path):
    folder = kept.copy(tmp_path / "backup")
    manifest = json.loads((folder / "manifest.json").read_text())
    (folder / "manifest.json").write_text(json.dumps(manifest | {"format": manifest["format"] + 1}))
    refused(kept.place.empty(tmp_path / "new"), folder, "a version of this program that writes backups differently")


def test_data_of_a_newer_version_are_neither_replaced_nor_backed_up_nor_started(kept, other, tmp_path):
    other.ask("INSERT INTO django_migrations (app, name, applied) VALUES ('{}', '{}', '2030-01-01')".format(*NEWER))
    try:
        refused(other, kept.folder, "The data here comes from another version of this program", "--replace")
        for command in (("backup", tmp_path / "backup"), ("prepare",)):
            status, said = other.manage(*command)
            assert (status, len(said.splitlines())) == (1, 1)
            assert "The database comes from another version" in said
    finally:
        other.ask(f"DELETE FROM django_migrations WHERE name = '{NEWER[1]}'")


def test_a_backup_with_a_damaged_file_is_refused_and_names_it(kept, tmp_path):
    empty = kept.place.empty(tmp_path / "new")
    names = [file.name for file in kept.folder.iterdir() if file.name != "manifest.json"]
    assert len(names) == 2
    for name in names:
        folder = kept.copy(tmp_path / name)
        content = bytearray((folder / name).read_bytes())
        content[len(content) // 2] ^= 1
        (folder / name).write_bytes(content)
        refused(empty, folder, f"{name} is damaged")
        (folder / name).unlink()
        refused(empty, folder, f"{name} of the backup cannot be read: No such file")
    manifest = json.loads((folder / "manifest.json").read_text())
    for damage in ({"files": None}, {"files": []}, {"files": {}}, {"migrations": None}, {"database": "mysql"}):
        (folder / "manifest.json").write_text(json.dumps(manifest | damage))
        refused(empty, folder, "is damaged")
    (folder / "manifest.json").write_text("{}")
    refused(empty, folder, "cannot be read")
    (folder / "manifest.json").unlink()
    refused(empty, folder, "is not a complete backup")


def test_another_secret_key_in_the_environment_is_refused(kept, tmp_path):
    empty = kept.place.empty(tmp_path / "new")
    refused(empty, kept.folder, "SECRET_KEY differs from the one in the backup", SECRET_KEY="another")
    key = (kept.folder / "secret-key").read_text()
    status, said = empty.manage("restore", kept.folder, SECRET_KEY=key)
    assert status == 0, said
    assert not (empty.folder / "secret-key").exists()


def test_a_backup_of_the_other_database_is_refused(kept, tmp_path):
    folder = kept.copy(tmp_path / "backup")
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["database"] = BOTH[not BOTH.index(manifest["database"])]
    (folder / "manifest.json").write_text(json.dumps(manifest))
    empty = kept.place.empty(tmp_path / "new")
    refused(empty, folder, "The backup is of a site on")


# Killed half way


def killed_at(place, function, *command):
    process = place.started("-m", "tests.support.paused", function, *command)
    said = []
    for line in process.stdout:
        said.append(line)
        if line == "paused\n":
            break
    else:
        raise AssertionError("".join(said))
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()


@pytest.mark.parametrize(
    "at", ["characters.management.progress:ProgressPrinter.tell", "polyhedral_site.backup.make:check"]
)
def test_an_interrupted_backup_is_not_a_complete_one(kept, tmp_path, at):
    folder, empty = tmp_path / "backup", kept.place.empty(tmp_path / "new")
    killed_at(kept.place, at, "backup", folder)
    assert any(folder.iterdir())
    refused(empty, folder, "is not a complete backup")
    status, said = kept.place.manage("backup", folder)
    assert status == 1
    assert "If an interrupted backup has left it, delete it" in said
    shutil.rmtree(folder)
    status, said = kept.place.manage("backup", folder)
    assert status == 0, said


@pytest.mark.parametrize(
    ("at", "changed"),
    [("characters.management.progress:ProgressPrinter.tell", False), ("polyhedral_site.backup.key:put_back", True)],
    ids=["in the database", "before the key"],
)
def test_a_site_does_not_start_after_an_interrupted_restore_until_it_is_repeated(kept, tmp_path, at, changed):
    place = kept.restored(tmp_path / "data")
    restored = place.tables()
    place.ask("UPDATE characters_character SET name = 'As it was'")
    before = place.tables()
    (place.folder / "secret-key").write_text("the key as it was, which is long enough to be taken for one")
    killed_at(place, at, "restore", kept.folder, "--replace")
    assert place.tables() == (restored if changed else before)
    for command in (["manage.py", "prepare"], ["-m", "polyhedral_site"]):
        status, said = place.run(*command, PORT="1")
        assert status == 1
        assert said == (
            f"A restore stopped halfway. Before you start the site, run it again: manage.py restore {kept.folder}\n"
        )
    status, said = place.manage("restore", kept.folder)
    assert status == 0, said
    assert place.tables() == restored
    assert found_again(kept, place) == 200


# Each database's own ways


@pytest.fixture
def crashed(tmp_path):
    """A site killed while its newest changes were only in the log beside the database file; and an earlier backup."""
    place = Place(copied(tmp_path / "site"))
    with place.serving() as site:
        guest = Player(site)
        guest.rename(NAME)
        status, said = place.manage("backup", tmp_path / "backup")
        assert status == 0, said
        assert {guest.play(number, f"a key for action {number}") for number in range(21)} == {303}
    log = place.file.with_name(f"{place.file.name}-wal")
    assert log.stat().st_size > 0
    return place, tmp_path / "backup"


def test_a_crashed_site_is_replaced_whole(crashed):
    place, folder = crashed
    status, said = place.manage("restore", folder, "--replace")
    assert status == 0, said
    assert place.ask("PRAGMA integrity_check") == [("ok",)]
    assert place.tables() == tables_of(lambda: sqlite3.connect(folder / "database.sqlite3"))


def test_a_copy_over_the_file_of_a_crashed_site_is_not_the_backup(crashed):
    """The reason for a restore command."""
    place, folder = crashed
    shutil.copy(folder / "database.sqlite3", place.file)
    try:
        sound = place.ask("PRAGMA integrity_check") == [("ok",)]
        same = place.tables() == tables_of(lambda: sqlite3.connect(folder / "database.sqlite3"))
    except sqlite3.DatabaseError:
        sound = same = False
    assert not (sound and same)


def test_a_restore_over_a_broken_or_unreachable_database_is_refused(kept, tmp_path):
    if kept.place.url:
        folder, variables = tmp_path, {"DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none"}
        sentence = "PostgreSQL cannot be reached"
    else:
        folder, variables = tmp_path, {}
        sentence = "is not an SQLite database"
        (tmp_path / "polyhedral.sqlite3").write_bytes(b"\xff" * 10_000)
    status, said = Place(folder, kept.place.url).manage("restore", kept.folder, **variables)
    assert status == 1
    assert sentence in said
    assert "Traceback" not in said


@pytest.fixture
def on_postgresql(postgres, tmp_path):
    url, folder = postgres
    return Place(folder, url), tmp_path / "backup"


def test_a_backup_without_pg_dump_says_so(on_postgresql, tmp_path):
    place, folder = on_postgresql
    status, said = place.manage("backup", folder, PATH=str(tmp_path))
    assert status == 1
    assert "pg_dump is not installed." in said
    assert not folder.exists()


def test_a_pg_dump_older_than_the_server_is_refused(on_postgresql, tmp_path):
    place, folder = on_postgresql
    program = tmp_path / "pg_dump"
    program.write_text("#!/bin/sh\necho 'pg_dump (PostgreSQL) 9.6.24'\n")
    program.chmod(0o755)
    status, said = place.manage("backup", folder, PATH=f"{tmp_path}:{os.environ['PATH']}")
    assert status == 1
    assert "pg_dump is from PostgreSQL 9, and the server is PostgreSQL" in said
    assert not folder.exists()


def test_a_backup_by_a_role_that_may_not_create_databases_is_refused(on_postgresql):
    place, folder = on_postgresql
    place.ask("CREATE ROLE humble LOGIN IN ROLE polyhedral")
    try:
        url = place.url.replace("//polyhedral@", "//humble@")
        status, said = Place(place.folder, url).manage("backup", folder)
    finally:
        place.ask("DROP ROLE humble")
    assert status == 1
    assert 'humble may not make one. Ask someone who may to run: ALTER ROLE "humble" CREATEDB' in said
    assert not folder.exists()


def test_the_backup_programs_get_no_lock_timeout_and_no_visible_password(monkeypatch):
    from polyhedral_site import environment
    from polyhedral_site.backup import postgresql

    settings = environment.database("postgresql://ana:a%20secret@db.example/site?sslmode=require")
    monkeypatch.setattr(postgresql, "connection", SimpleNamespace(settings_dict=settings))
    found = postgresql.Postgresql(print)
    named = found.named()
    assert "sslmode=require" in named
    assert "secret" not in named
    assert "lock_timeout" not in named
    assert psycopg.conninfo.conninfo_to_dict(named.removeprefix("--dbname="))["dbname"] == "site"
    back = environment.database(found.address("site_checking"))
    assert (back["NAME"], back["PASSWORD"], back["HOST"]) == ("site_checking", "a secret", "db.example")
