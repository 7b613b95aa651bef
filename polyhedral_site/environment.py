"""Reads settings from the environment: flags, lists, the database URL and the secret key.

Raises ImproperlyConfigured for a value that cannot be used, with a sentence that `saying.py` prints.
"""

import os
import re
import secrets
from email.headerregistry import AddressHeader
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit
from zoneinfo import ZoneInfo

from django.core.exceptions import ImproperlyConfigured

ADDRESS = re.compile(r"https?://[\w.:\[\]-]+")
AN_ORIGIN = re.compile(r"https?://[\w*.:\[\]-]+")
A_SERVER = re.compile(r"[\w.-]+|[0-9a-fA-F.]*(:[0-9a-fA-F.]*){2,}")  # a name or an IP address
A_HOST = re.compile(r"\*|\.?[\w-]+(\.[\w-]+)*\.?|\[[0-9a-fA-F:.]+\]")


def text(name: str) -> str:
    """The value without spaces around it; "" if it is not set."""
    return os.environ.get(name, "").strip()


def unusable(name: str, wanted: str, value: str) -> ImproperlyConfigured:
    return ImproperlyConfigured(f"{name} {wanted}, not {value[:80]!r}.")


def flag(name: str, default: bool = False) -> bool:
    value = text(name).lower()
    if value in {"1", "true", "yes", "on"}:
        return True
    if value in {"0", "false", "no", "off"}:
        return False
    if value:
        raise unusable(name, "must be 1 or 0", value)
    return default


def number(name: str, default: int, least: int = 0, most: int = 2**31 - 1) -> int:
    value = text(name)
    if not value:
        return default
    # The length is checked first, because Python raises an error for a number with thousands of digits.
    if not (value.isascii() and value.isdigit() and len(value) <= 10 and least <= int(value) <= most):
        raise unusable(name, f"must be a whole number from {least} to {most}", value)
    return int(value)


def port(name: str, default: int) -> int:
    return number(name, default, 1, 65_535)


def words(name: str, pattern: re.Pattern[str], wanted: str) -> list[str]:
    """The comma-separated values of a variable, each of which must match; empty if it is not set."""
    found = [word.strip() for word in text(name).split(",") if word.strip()]
    for word in found:
        if not pattern.fullmatch(word):
            raise unusable(name, wanted, word)
    return found


def hosts(name: str) -> list[str]:
    """The host names of the site, and patterns of such names."""
    found = words(name, A_HOST, "takes names such as characters.example.org, without https:// and port")
    if text(name) and not found:
        raise ImproperlyConfigured(f"{name} is empty: {os.environ[name][:80]!r} names nothing.")
    return found


def origins(name: str) -> list[str]:
    """The addresses whose forms are accepted, and patterns such as `https://*.example.org`."""
    return words(name, AN_ORIGIN, "takes addresses such as https://characters.example.org")


def required(name: str) -> str:
    value = text(name)
    if not value:
        raise ImproperlyConfigured(f"{name} must be set when PRODUCTION=1.")
    return value


def time_zone(name: str, default: str) -> str:
    value = text(name) or default
    try:
        ZoneInfo(value)
    except (ValueError, OSError, LookupError):
        raise unusable(name, "must be a time zone such as Europe/Berlin", value) from None
    return value


def sender(name: str, default: str) -> str:
    """The address that mail is sent from, alone or as `The site <site@example.org>`. It is required if there is no
    default."""
    value = text(name) or default or required(name)
    if not is_one_address(value):
        raise unusable(name, "must be one address such as site@example.org", value)
    return value


def is_one_address(value: str) -> bool:
    """True if mail can be sent from it. It is parsed like the sender of each email: a name with a dot needs quotes."""
    try:
        found = AddressHeader.value_parser(value)
    except Exception:  # Python's parser fails in many ways on text that is no address
        return False
    return not found.all_defects and [bool(one.domain) for one in found.all_mailboxes] == [True]


def mail_server(name: str) -> str:
    value = required(name)
    if not A_SERVER.fullmatch(value):
        wanted = "must be the name of a server such as mail.example.org, without its port (EMAIL_PORT)"
        raise unusable(name, wanted, value)
    return value


def encryption(name: str, port: int) -> dict[str, bool]:
    """The encryption options of a mailer: TLS from the first byte on port 465, after STARTTLS on others; none if the
    flag is 0."""
    wanted = flag(name, True)
    return {"use_ssl": wanted and port == 465, "use_tls": wanted and port != 465}


def site_url(name: str, default: str) -> str:
    """The address of the site, without a final slash. default: "" if ALLOWED_HOSTS has only patterns."""
    value = (text(name) or default).rstrip("/")
    if not value:
        raise ImproperlyConfigured(
            f"{name} must be set to the address of the site, such as https://characters.example.org: "
            "ALLOWED_HOSTS has only patterns."
        )
    try:
        parts = urlsplit(value)
        parts.port  # noqa: B018 (only read to see whether it is a number)
        host = parts.hostname or ""
    except ValueError:
        host = ""
    if not ADDRESS.fullmatch(value) or not host or host.startswith("."):
        raise unusable(name, "must be the address of the site, such as https://characters.example.org", value)
    return value


def data_dir(name: str, default: Path) -> Path:
    """The folder as an absolute path. It may be missing, but something else may not be in its place."""
    path = Path(os.environ.get(name) or default)
    try:
        path = path.expanduser().absolute()  # no shell has expanded a value from a file
    except RuntimeError:
        raise ImproperlyConfigured(f"{name} must be a folder, but {path.parts[0]} is nobody's home.") from None
    blocked = next((place for place in (path, *path.parents) if place.exists() and not place.is_dir()), None)
    if blocked:
        raise ImproperlyConfigured(f"{name} must be a folder, but {blocked} is a file.")
    return path


def make_data_dir(path: Path) -> None:
    """Make the folder, for its owner only, since it has everyone's characters. An existing folder stays as it is."""
    path.mkdir(mode=0o700, parents=True, exist_ok=True)


# Django only warns about keys below these two limits. Sixty random characters, even hexadecimal ones, reach both.
KEY_LENGTH, KEY_CHARACTERS = 50, 12
KEY_FILE = "secret-key"


def strong_secret_key(name: str) -> str:
    key = required(name)
    if len(key) < KEY_LENGTH or len(set(key)) < KEY_CHARACTERS or key.startswith("django-insecure-"):
        raise ImproperlyConfigured(
            f"{name} is too easy to guess: it must be at least {KEY_LENGTH} random characters. This makes one: "
            "python3 -c 'import secrets; print(secrets.token_urlsafe(50))'"
        )
    return key


def local_secret_key(data_dir: Path) -> str:
    """The key of a site that is run from its own folder: made once, and kept in DATA_DIR/secret-key, readable only by
    its owner."""
    path = data_dir / KEY_FILE
    try:
        make_data_dir(data_dir)
        return _made_or_read(path)
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not text"
        raise ImproperlyConfigured(f"The secret key {path} cannot be read or made: {reason}.") from None


def _made_or_read(path: Path) -> str:
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        if key := path.read_text().strip():
            return key
        raise ImproperlyConfigured(
            f"The secret key {path} is empty. Put back the one of a backup, or delete the file: the site makes a new "
            "one, and guests lose their characters."
        ) from None
    key = secrets.token_urlsafe(50)
    try:
        with os.fdopen(handle, "w") as file:
            file.write(key)
    except OSError:
        path.unlink()  # otherwise a full disk would leave an empty key
        raise
    return key


NO_ADDRESS = (
    "DATABASE_URL must be the address of a database, such as postgresql://user:password@host:5432/name. In a password, "
    "write # as %23, / as %2F, ? as %3F, @ as %40, [ as %5B and % as %25, or leave it out and set PGPASSWORD."
)


def database(url: str) -> dict[str, Any]:
    """Django's DATABASES entry for `sqlite:///file` (four slashes if absolute) or
    `postgresql://user:password@host/name`.

    Query parameters of a PostgreSQL URL become connection options, so `?host=/run/postgresql` names a Unix socket.
    """
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018 (only read to see whether it is a number)
    except ValueError:  # the error may quote a part of the password
        raise ImproperlyConfigured(NO_ADDRESS) from None
    if parts.scheme in {"sqlite", "sqlite3"}:
        if parts.netloc or parts.query or parts.fragment:  # sqlite://data/x would mean the file x, and a#b the file a
            raise ImproperlyConfigured(
                "DATABASE_URL must name a file after three slashes, as in sqlite:///data/polyhedral.sqlite3, with %3F "
                "for a question mark and %23 for a #."
            )
        return sqlite(unquote(parts.path.removeprefix("/")))
    if parts.scheme in {"postgres", "postgresql"}:
        return postgresql(parts)
    raise ImproperlyConfigured("DATABASE_URL must start with sqlite:/// or postgresql://.")


def sqlite(name: str) -> dict[str, Any]:
    if not name or name == ":memory:":
        raise ImproperlyConfigured("DATABASE_URL must name a file, as in sqlite:///data/polyhedral.sqlite3.")
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": name,
        "CONN_MAX_AGE": None,
        "OPTIONS": {
            # Transactions take the write lock when they begin. Taking it later fails at once under load.
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            # FULL: everything reported as saved survives a power cut.
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON",
        },
    }


# The longest wait for a server that does not answer, or for a row that someone else has locked.
PATIENCE = 2  # seconds
WAITING = {
    "connect_timeout": str(PATIENCE),
    # For a server that has vanished from the network. Linux by itself waits a quarter of an hour.
    "tcp_user_timeout": str(PATIENCE * 1000),
    "keepalives_idle": "5",
    "keepalives_interval": "1",
    "keepalives_count": "3",
    "options": f"-c lock_timeout={PATIENCE}s",
}
# The server plans a statement the third time a connection sends it, and from then on gets only the values.
PREPARED = {"server_side_binding": True, "prepare_threshold": 3}


def postgresql(parts: SplitResult) -> dict[str, Any]:
    if parts.fragment or "@" in parts.path:  # the password has a character that ends the server's name
        raise ImproperlyConfigured(NO_ADDRESS)
    if not parts.path.strip("/"):
        raise ImproperlyConfigured("DATABASE_URL must name a database, as in postgresql://user:password@host/name.")
    options = {**WAITING, **dict(parse_qsl(parts.query))}
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.removeprefix("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": options.pop("host", unquote(parts.hostname or "")),
        "PORT": options.pop("port", str(parts.port or "")),
        "OPTIONS": {**options, **PREPARED, "pool": {"min_size": 1, "max_size": 8, "timeout": PATIENCE}},
    }
