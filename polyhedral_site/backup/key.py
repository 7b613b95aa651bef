"""The secret key. Without it, no session can be read, and guests would not find their characters again."""

import os
from pathlib import Path

from django.conf import settings

from polyhedral_site.environment import KEY_FILE

from .folder import BackupError, settle


def copy(folder: Path) -> None:
    write(folder / KEY_FILE, settings.SECRET_KEY)


def refuse_another(folder: Path) -> None:
    """Refuse if the environment sets another key, which a restore cannot change."""
    if is_set() and (folder / KEY_FILE).read_text() != settings.SECRET_KEY:
        raise BackupError(
            "SECRET_KEY differs from the one in the backup, so guests would lose their characters. "
            f"Set it to the content of {folder / KEY_FILE}, then restore."
        )


def put_back(folder: Path) -> None:
    if not is_set():
        fresh = settings.DATA_DIR / f"{KEY_FILE}.new"
        write(fresh, (folder / KEY_FILE).read_text())
        fresh.rename(settings.DATA_DIR / KEY_FILE)
        settle(settings.DATA_DIR)


def is_set() -> bool:
    return bool(os.environ.get("SECRET_KEY"))


def write(path: Path, key: str) -> None:
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(key)
    settle(path)
