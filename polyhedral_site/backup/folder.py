"""The folder of a backup: its contents, and the check that they are as written."""

import hashlib
import json
import os
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path

MANIFEST = "manifest.json"
FORMAT = 1
NAMES = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}
LAST = "last-backup"  # file in the data folder with the time of the last good backup


class BackupError(Exception):
    """The reason why a backup cannot be made or restored, as a sentence for the person who runs the site."""


@dataclass
class Manifest:
    database: str  # the vendor: sqlite or postgresql
    migrations: list[str]
    made_at: str = field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="seconds"))
    files: dict[str, str] = field(default_factory=dict)  # file name -> its SHA-256
    format: int = FORMAT


def make_private(folder: Path) -> None:
    """Make the folder, readable by its owner only. Raises BackupError unless it is empty."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o700)
        there = any(folder.iterdir())
    except OSError as error:
        raise BackupError(f"The folder {folder} cannot be made: {error.strerror}.") from None
    if (folder / MANIFEST).exists():
        raise BackupError(f"{folder} already holds a backup. Name a new folder.")
    if there:
        raise BackupError(
            f"{folder} is not empty. If an interrupted backup has left it, delete it, or name a new folder."
        )


def write(folder: Path, manifest: Manifest) -> None:
    """Write the manifest. That comes last, so a folder that has one is complete."""
    for path in sorted(folder.iterdir()):
        path.chmod(0o600)
        settle(path)
        manifest.files[path.name] = sha256(path)
    written = folder / f"{MANIFEST}.new"
    written.write_text(json.dumps(asdict(manifest), indent=2) + "\n")
    written.chmod(0o600)
    settle(written)
    written.rename(folder / MANIFEST)
    settle(folder)


def read(folder: Path) -> Manifest:
    """The manifest of a backup, after checking that its files are as written."""
    try:
        manifest = Manifest(**json.loads((folder / MANIFEST).read_text()))
    except FileNotFoundError:
        raise BackupError(f"{folder} is not a complete backup: it has no {MANIFEST}.") from None
    except (OSError, ValueError, TypeError) as error:
        raise BackupError(f"The {MANIFEST} of {folder} cannot be read: {error}.") from None
    if manifest.format != FORMAT:
        raise BackupError("This backup was made by a version of this program that writes backups differently.")
    whole = isinstance(manifest.files, dict) and manifest.files and isinstance(manifest.migrations, list)
    if not whole or manifest.database not in NAMES:
        raise BackupError(f"The {MANIFEST} of {folder} is damaged. Use another backup.")
    for name, known in manifest.files.items():
        try:
            found = sha256(folder / name)
        except OSError as error:
            raise BackupError(f"{name} of the backup cannot be read: {error.strerror}.") from None
        if found != known:
            raise BackupError(f"{name} is damaged: it has changed since it was written. Use another backup.")
    return manifest


def sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def settle(path: Path) -> None:
    """Flush the file to the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
