"""The parts of a backup separately: the files on the disk at each step, who may read them, and the remains of a failed
restore."""

import os
import stat
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from polyhedral_site import occupied
from polyhedral_site.backup import folder as backup_folder
from polyhedral_site.backup import key, restore_backup
from polyhedral_site.backup.folder import BackupError, Manifest


@pytest.fixture
def written_through(monkeypatch):
    """The names of all that was written through to the disk, in order."""
    names = []
    monkeypatch.setattr(os, "fsync", lambda handle: names.append(Path(f"/proc/self/fd/{handle}").readlink().name))
    return names


def test_a_manifest_is_there_only_after_all_that_it_names_is_on_the_disk(tmp_path, monkeypatch, written_through):
    (tmp_path / "database.sqlite3").write_text("rows")
    (tmp_path / "secret-key").write_text("a key")
    rename = Path.rename
    monkeypatch.setattr(Path, "rename", lambda path, to: written_through.append(to.name) or rename(path, to))
    backup_folder.write(tmp_path, Manifest("sqlite", []))
    files = ["database.sqlite3", "secret-key"]
    assert written_through == [*files, "manifest.json.new", "manifest.json", tmp_path.name]
    assert sorted(backup_folder.read(tmp_path).files) == files


def test_a_restored_key_is_for_its_owner_only_and_on_the_disk(tmp_path, settings, monkeypatch, written_through):
    monkeypatch.delenv("SECRET_KEY")
    settings.DATA_DIR = tmp_path / "data"
    settings.DATA_DIR.mkdir()
    (settings.DATA_DIR / "secret-key").write_text("the key before")
    (tmp_path / "secret-key").write_text("the key of the backup")
    key.put_back(tmp_path)
    (restored,) = settings.DATA_DIR.iterdir()
    assert (restored.name, restored.read_text()) == ("secret-key", "the key of the backup")
    assert stat.S_IMODE(restored.stat().st_mode) == 0o600
    assert written_through == ["secret-key.new", "data"]


class Failing:
    """A database into which nothing can be restored."""

    def refuse_in_use(self):
        """Nobody uses it."""

    def put_back(self, folder):
        raise BackupError("psql failed: no room.")


@pytest.mark.parametrize("before", ["", "/backups/monday"])
def test_a_restore_that_fails_leaves_the_folder_as_unfinished_as_it_was(tmp_path, settings, monkeypatch, before):
    """An earlier restore that was killed before the key has left another site's database."""
    settings.DATA_DIR = tmp_path
    (tmp_path / "in-use").write_text(before)
    monkeypatch.setattr(restore_backup, "read", lambda folder: Manifest("sqlite", []))
    for check in ("refuse_unfit", "look_for_the_database"):
        monkeypatch.setattr(restore_backup, check, lambda *_: None)
    monkeypatch.setattr(restore_backup.key, "refuse_another", lambda folder: None)
    monkeypatch.setattr(restore_backup, "refuse_present", lambda *, replace: None)
    monkeypatch.setattr(restore_backup, "database", lambda say: Failing())
    with pytest.raises(BackupError, match="no room"):
        restore_backup.restore(Path("/backups/tuesday"), replace=True, say=print)
    assert (tmp_path / "in-use").read_text() == before
    if before:
        with pytest.raises(ImproperlyConfigured, match="run it again: manage.py restore /backups/monday"):
            occupied.shared(tmp_path).__enter__()


def test_the_name_of_the_backup_is_on_the_disk_before_anything_is_replaced(tmp_path, written_through):
    with occupied.alone(tmp_path) as file:
        occupied.write(file, "/backups/monday")
        assert written_through == ["in-use"]
        occupied.write(file, "/backups/tuesday")
        assert occupied.read(file) == "/backups/tuesday"
