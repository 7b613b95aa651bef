"""A full disk, a file that may not be written, a database that is down: the right message, and nothing is lost."""

import contextlib
import os
import re
import resource
import stat
import subprocess
import tempfile

import psycopg
import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import InterfaceError, NotSupportedError, OperationalError, ProgrammingError, connection
from django.db.backends.utils import CursorWrapper
from django.test import Client

from characters.models import Note
from polyhedral_site.outages import BUSY, FULL, NotStored, outage_of
from tests.support.characters import owned_by
from tests.support.site import copied, serving

pytestmark = pytest.mark.slow

KEY = "a key of this form"
TEXT = "The door is open."


@contextlib.contextmanager
def full_disk(process, folder):
    """No file of the process may grow; writes then fail as they do with a quota."""
    before = resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (1024, resource.RLIM_INFINITY))
    yield
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, before)


@contextlib.contextmanager
def full_file_system(process, folder):
    assert folder.is_mount()  # never the disk of this machine
    filler = folder / "filler"
    with contextlib.suppress(OSError), filler.open("wb", buffering=0) as file:
        while file.write(bytes(4096)):
            pass
    yield
    filler.unlink()


@contextlib.contextmanager
def read_only(process, folder):
    files = [folder, *folder.glob("polyhedral.sqlite3*")]
    modes = [stat.S_IMODE(file.stat().st_mode) for file in files]
    for file, mode in zip(files, modes, strict=True):
        file.chmod(mode & ~0o222)
    yield
    for file, mode in zip(files, modes, strict=True):
        file.chmod(mode)


WAYS = {"no file may grow": full_disk, "the file is read-only": read_only}
MOUNT = ["mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs"]


def may_mount():
    """True if this process may mount a file system: as root, outside of most containers."""
    with tempfile.TemporaryDirectory() as place:
        if os.geteuid() != 0 or subprocess.run([*MOUNT, place], capture_output=True).returncode:
            return False
        subprocess.run(["umount", place], check=True)
    return True


if may_mount():
    WAYS["the disk is full"] = full_file_system


@pytest.fixture
def folder(tmp_path):
    """A prepared site, on a small file system of its own if that can be mounted."""
    if full_file_system not in WAYS.values():
        yield copied(tmp_path)
        return
    subprocess.run([*MOUNT, tmp_path], check=True)
    try:
        yield copied(tmp_path)
    finally:
        subprocess.run(["umount", tmp_path], check=True)


def form(site, path, **fields):
    """Send a form of a page as a browser without script does."""
    status, headers, html = site.ask("GET", path)
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', html)
    assert token, (status, html)
    cookie = headers["Set-Cookie"].split(";")[0]
    body = "&".join(f"{name}={value}" for name, value in {"csrfmiddlewaretoken": token[1], **fields}.items())
    return site.ask("POST", path, body, {"Content-Type": "application/x-www-form-urlencoded", "Cookie": cookie})


@pytest.mark.parametrize("way", WAYS)
def test_a_site_that_cannot_store_says_so_and_recovers_without_a_restart(folder, way):
    with serving(folder) as site:
        assert site.ask("GET", "/health/")[0] == 200
        with WAYS[way](site.process, folder):
            for _ in range(2):
                status, headers, html = form(site, "/accounts/login/", login="ana", password="wrong-password")
                assert status == 507
                assert headers["Retry-After"] == "60"
                assert "cannot save anything" in html
            status, _, told = site.ask("GET", "/health/")
            assert status == 503
            assert '"storage": "can be written"' not in told
            assert site.ask("GET", "/rules/")[0] == 200
        assert site.ask("GET", "/health/")[0] == 200
        assert form(site, "/accounts/login/", login="ana", password="wrong-password")[0] == 200
        assert "Traceback" not in site.stop_and_read_log()


def test_a_module_first_imported_on_a_full_disk_is_not_cached_cut_off(folder, tmp_path_factory):
    compiled = {"PYTHONPYCACHEPREFIX": str(tmp_path_factory.mktemp("compiled"))}
    with serving(folder, **compiled) as site:
        assert site.ask("GET", "/health/")[0] == 200  # it has started
        with full_disk(site.process, folder):
            assert site.ask("GET", "/accounts/login/")[0] == 200
    with serving(folder, **compiled) as site:
        assert site.ask("GET", "/accounts/login/")[0] == 200


def raised(kind, cause):
    try:
        raise kind("x") from cause
    except kind as error:
        return error


def sqlite(code):
    cause = Exception("x")
    cause.sqlite_errorcode = code
    return cause


CASES = [
    (raised(OperationalError, sqlite(13)), FULL),
    (raised(OperationalError, sqlite(8 | 1 << 8)), FULL),
    (raised(OperationalError, sqlite(10 | 3 << 8)), FULL),
    (raised(OperationalError, sqlite(5)), BUSY),
    (raised(OperationalError, sqlite(1)), None),  # no such table: an error of ours
    (raised(OperationalError, psycopg.errors.LockNotAvailable()), BUSY),
    (raised(OperationalError, psycopg.errors.AdminShutdown()), BUSY),
    (raised(OperationalError, psycopg.OperationalError()), BUSY),
    (raised(InterfaceError, psycopg.InterfaceError()), BUSY),
    (raised(OperationalError, psycopg.errors.DiskFull()), FULL),
    (raised(ProgrammingError, psycopg.errors.UndefinedTable()), None),
    (raised(NotSupportedError, psycopg.errors.FeatureNotSupported()), None),  # a query that PostgreSQL never answers
    (NotStored("x"), FULL),
    (ValueError("x"), None),
    (None, None),
]


@pytest.mark.parametrize(("error", "outage"), CASES)
def test_an_outage_is_told_from_an_error_of_ours(error, outage):
    assert outage_of(error) is outage


@pytest.mark.parametrize("error", [CASES[0][0], CASES[5][0]])
def test_a_form_that_failed_comes_back_and_is_done_once(db, monkeypatch, error):
    ana = User.objects.create_user("ana")
    url = f"/characters/{owned_by(ana).pk}/play/add-note/"
    client = Client(raise_request_exception=False)
    client.force_login(ana)

    def fails(*args, **what):
        raise error

    with monkeypatch.context() as patch:
        patch.setattr("characters.pages.sheet.live_answer.run", fails)
        patch.setattr(connection, "close", lambda: None)  # the test still needs the connection
        response = client.post(url, {"key": KEY, "text": TEXT})
    html = response.content.decode()
    assert response.status_code == outage_of(error).status
    assert response["Retry-After"]
    assert f'value="{TEXT}"' in html
    assert f'<input type="hidden" name="key" value="{KEY}">' in html
    assert client.post(url, {"key": KEY, "text": TEXT}).status_code == 303
    assert Note.objects.count() == 1


def test_the_cache_says_when_it_cannot_store(db):
    if connection.vendor != "sqlite":
        connection.cursor().execute("SET TRANSACTION READ ONLY")
        with pytest.raises(Exception, match="could not be written|aborted|read-only"):
            cache.add("a", 1)
        return
    connection.cursor().execute("PRAGMA query_only=1")
    try:
        with pytest.raises(NotStored):
            cache.add("a", 1)
    finally:
        connection.cursor().execute("PRAGMA query_only=0")
    assert cache.add("a", 1) is True
    assert cache.add("a", 1) is False


def test_a_cache_that_is_locked_is_busy_and_not_full(db, monkeypatch):
    locked = CASES[3][0]

    def wait_in_vain(cursor, sql, *asked):
        if sql.startswith("INSERT"):
            raise locked
        return execute(cursor, sql, *asked)

    execute = CursorWrapper._execute
    monkeypatch.setattr(CursorWrapper, "_execute", wait_in_vain)
    with pytest.raises(NotStored) as raised_by_cache:
        cache.add("b", 1)
    assert outage_of(raised_by_cache.value) is BUSY


@pytest.mark.parametrize("charset", ["utf-16", "utf-7", "latin-1", "idna", "no-such", "%00"])
@pytest.mark.parametrize("kind", ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain"])
def test_a_body_in_another_charset_is_refused_with_a_sentence(db, charset, kind):
    ana = User.objects.create_user("ana")
    client = Client(enforce_csrf_checks=True)
    client.force_login(ana)
    for url in (f"/characters/{owned_by(ana).pk}/play/add-note/", "/accounts/login/", "/characters/999/play/heal/"):
        response = client.generic("POST", url, f"key={KEY}".encode("utf-16"), f"{kind}; charset={charset}")
        assert response.status_code == 415, url
        assert "UTF-8" in response.content.decode()
    assert not Note.objects.exists()


@pytest.mark.parametrize("charset", ["utf-8", "UTF-8", '"utf-8"', "us-ascii"])
def test_a_body_in_utf_8_is_read_in_every_spelling_of_the_charset(db, charset):
    ana = User.objects.create_user("ana")
    client = Client()
    client.force_login(ana)
    url = f"/characters/{owned_by(ana).pk}/play/add-note/"
    kind = f"application/x-www-form-urlencoded; charset={charset}"
    assert client.post(url, f"key={KEY}&text=x", content_type=kind).status_code == 303
