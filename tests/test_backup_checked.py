"""The check after a backup finds a copy that is not of one moment, and reports faults of the site itself.

On the database that the suite runs on, with copies made in careless ways.
"""

import gzip
import subprocess
import sys

import pytest
from django.db import connection

from characters import verbs
from characters.models import Character
from polyhedral_site.backup import make
from polyhedral_site.backup.folder import BackupError
from polyhedral_site.backup.postgresql import Postgresql
from polyhedral_site.backup.sqlite import Sqlite
from polyhedral_site.saying import look_for_the_database
from tests.characters.cast import mira, new_key, person
from tests.characters.play.table import play
from tests.support.postgres import path

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
PAGE = 4096  # bytes


@pytest.fixture(autouse=True)
def programs(monkeypatch):
    if connection.vendor == "postgresql":
        monkeypatch.setenv("PATH", path())


@pytest.fixture
def said():
    return []


def played(characters):
    for pk in characters:
        for number in range(5):
            verbs.rename(pk, person(), new_key(), name=f"Name {number}")
            play.add_note(pk, person(), new_key(), text="The ferryman knows more than he says." * 20)


def file_in_parts(self, folder):
    """`cp` while people play and the log is written into the file, as happens after every few changes."""
    pages = -(-self.path.stat().st_size // PAGE)
    part = -(-pages // 8)
    with (folder / "database.sqlite3").open("wb") as copy:
        for begin in range(0, pages, part):
            # By another program, because closing the file in this process would release its locks.
            command = ["dd", f"if={self.path}", f"bs={PAGE}", f"skip={begin}", f"count={part}", "status=none"]
            subprocess.run(command, stdout=copy, check=True)
            played(Character.objects.values_list("pk", flat=True))
            connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")


def table_by_table(self, folder):
    """One `pg_dump` without the table of changes, then another for that table, while people play."""
    parts = []
    for arguments in (["--exclude-table-data=characters_change"], ["--data-only", "--table=characters_change"]):
        command = ["pg_dump", "--no-owner", *arguments, self.named()]
        parts.append(subprocess.run(command, capture_output=True, check=True).stdout)
        played(Character.objects.values_list("pk", flat=True))
    (folder / "database.sql.gz").write_bytes(gzip.compress(b"\n".join(parts)))


CARELESS = {"sqlite": (Sqlite, file_in_parts), "postgresql": (Postgresql, table_by_table)}


def test_a_copy_that_is_not_of_one_moment_is_refused(tmp_path, monkeypatch, said):
    played([mira().pk for _ in range(10)])
    database, copy = CARELESS[connection.vendor]
    with monkeypatch.context() as patch:
        patch.setattr(database, "copy", copy)
        with pytest.raises(BackupError, match=r"The copy (is damaged|differs from the site)|malformed"):
            make.make_backup(tmp_path / "careless", said.append)
    assert not (tmp_path / "careless" / "manifest.json").exists()
    make.make_backup(tmp_path / "careful", said.append)  # the same site with the site's own way to copy
    assert (tmp_path / "careful" / "manifest.json").exists()


def test_looking_for_the_database_does_not_release_its_locks():
    mira()
    another = connection.copy()  # as another thread of the site has
    with another.cursor() as cursor:
        cursor.execute("SELECT COUNT(*) FROM characters_character")
    connection.close()
    look_for_the_database()
    assert Character.objects.count() == 1
    if connection.vendor == "sqlite":
        take = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('PRAGMA journal_mode=DELETE')"
        command = [sys.executable, "-c", take, connection.settings_dict["NAME"]]
        taken = subprocess.run(command, capture_output=True, text=True)
        assert "database is locked" in taken.stderr
    another.close()


def test_a_wrong_journal_on_the_site_itself_is_reported_and_backed_up(tmp_path, said):
    torn, _ = mira(), mira()
    Character.objects.filter(pk=torn.pk).update(name="Nobody wrote this")
    make.make_backup(tmp_path / "backup", said.append)
    assert (tmp_path / "backup" / "manifest.json").exists()
    told = f"Character {torn.pk}: what is stored is not what the journal comes to, at field:name."
    assert said[-1].endswith(f"do not replay on the site itself, and the backup holds them as they are. {told}")


def test_the_day_of_the_last_backup_is_kept(tmp_path, said, settings):
    settings.DATA_DIR = tmp_path
    mira()
    make.make_backup(tmp_path / "backup", said.append)
    assert (tmp_path / "last-backup").read_text().startswith("20")


def test_a_good_backup_is_no_failure_where_its_day_cannot_be_kept(tmp_path, said, settings):
    """The disk of the site is full, which is a reason for a backup on another."""
    settings.DATA_DIR = tmp_path / "site"
    (settings.DATA_DIR / "last-backup.new").mkdir(parents=True)  # so that nothing can be written there
    (settings.DATA_DIR / "last-backup").write_text("2026-11-24")
    mira()
    make.make_backup(tmp_path / "backup", said.append)
    assert (tmp_path / "backup" / "manifest.json").exists()
    assert said[-1].endswith(f"could not be written to {settings.DATA_DIR / 'last-backup'}: Is a directory.")
    assert (settings.DATA_DIR / "last-backup").read_text() == "2026-11-24"
