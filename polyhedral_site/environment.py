"""Reading settings from the environment: flags, lists, the database URL and the local secret key."""

import os
import secrets
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured


def flag(name, default=False):
    value = os.environ.get(name, "").strip().lower()
    if value in {"1", "true", "yes", "on"}:
        return True
    if value in {"0", "false", "no", "off"}:
        return False
    if value:
        raise ImproperlyConfigured(f"{name} must be 1 or 0, not {value!r}.")
    return default


def number(name, default):
    value = os.environ.get(name, "").strip()
    if not value:
        return default
    if not (value.isascii() and value.isdigit()):
        raise ImproperlyConfigured(f"{name} must be a whole number of at least 0, not {value!r}.")
    return int(value)


def words(name):
    """The comma separated values of a variable; empty when it is not set."""
    return [word.strip() for word in os.environ.get(name, "").split(",") if word.strip()]


def required(name):
    value = os.environ.get(name, "").strip()
    if not value:
        raise ImproperlyConfigured(f"{name} must be set when PRODUCTION=1.")
    return value


def local_secret_key(data_dir):
    """The key of a site run from its own folder: made once, kept in DATA_DIR/secret-key, readable by its owner only."""
    path = Path(data_dir) / "secret-key"
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_text().strip()
    with os.fdopen(handle, "w") as file:
        key = secrets.token_urlsafe(50)
        file.write(key)
    return key


def database(url):
    """Django's DATABASES entry for `sqlite:///file` (four slashes when absolute) or `postgresql://user:password@host/name`.

    Query parameters of a PostgreSQL URL become connection options, so `?host=/run/postgresql` names a Unix socket.
    """
    parts = urlsplit(url)
    if parts.scheme in {"sqlite", "sqlite3"}:
        return sqlite(unquote(parts.path.removeprefix("/")))
    if parts.scheme in {"postgres", "postgresql"}:
        return postgresql(parts)
    raise ImproperlyConfigured("DATABASE_URL must start with sqlite:/// or postgresql://.")


def sqlite(name):
    if not name or name == ":memory:":
        raise ImproperlyConfigured("DATABASE_URL must name a file, as in sqlite:///data/polyhedral.sqlite3.")
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": name,
        "CONN_MAX_AGE": None,
        "OPTIONS": {
            # A transaction takes the write lock when it begins; one that takes it later fails at once under load.
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            # FULL: what was answered as saved survives a power cut.
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON",
        },
    }


def postgresql(parts):
    options = dict(parse_qsl(parts.query))
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.removeprefix("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": options.pop("host", unquote(parts.hostname or "")),
        "PORT": options.pop("port", str(parts.port or "")),
        "OPTIONS": {**options, "pool": {"min_size": 1, "max_size": 8, "timeout": 10}},
    }
