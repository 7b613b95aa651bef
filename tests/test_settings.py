import os
import secrets
import stat
import subprocess
import sys
from importlib.util import find_spec, module_from_spec
from urllib.parse import quote

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.mail.handler import MailersHandler
from django.db import ConnectionHandler
from django.http.request import validate_host

from polyhedral_site import checks, environment, occupied
from tests.support.site import copied, serving

pytestmark = pytest.mark.slow

PRODUCTION = {
    "PRODUCTION": "1",
    "SECRET_KEY": "a" * 20 + "b" * 20 + "0123456789c",
    "ALLOWED_HOSTS": "polyhedral.example",
    "EMAIL_HOST": "mail.example",
    "EMAIL_FROM": "site@polyhedral.example",
}


@pytest.fixture
def read(tmp_path, monkeypatch):
    """The site's settings as they are read with these variables and none of the settings of the tests."""

    def read(**variables):
        monkeypatch.setattr(os, "environ", {"PATH": os.environ["PATH"], "DATA_DIR": str(tmp_path), **variables})
        spec = find_spec("polyhedral_site.settings")
        settings = module_from_spec(spec)
        spec.loader.exec_module(settings)
        return vars(settings)

    return read


def start(tmp_path, code, **variables):
    """Run code in a fresh process with these variables and none of the settings of the tests."""
    environment = {"PATH": os.environ["PATH"], "DATA_DIR": str(tmp_path), **variables}
    code = f"from django.conf import settings; {code}"
    environment["DJANGO_SETTINGS_MODULE"] = "polyhedral_site.settings"
    return subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)


@pytest.mark.parametrize("missing", ["SECRET_KEY", "ALLOWED_HOSTS", "EMAIL_HOST", "EMAIL_FROM"])
def test_production_has_no_default_for_a_needed_variable(missing, tmp_path, read):
    variables = {name: value for name, value in PRODUCTION.items() if name != missing}
    with pytest.raises(ImproperlyConfigured, match=f"{missing} must be set when PRODUCTION=1."):
        read(**variables)
    assert not list(tmp_path.iterdir())


def test_production_is_never_in_debug_mode_and_wants_https(read):
    found = read(DEBUG="1", **PRODUCTION)
    assert found["DEBUG"] is False
    for safe in ("SECURE_SSL_REDIRECT", "SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE"):
        assert found[safe] is True, safe


@pytest.mark.parametrize(
    "key", ["short", "0123456789abcdefg" * 2, "a" * 60, "changeme" * 8, "django-insecure-" + PRODUCTION["SECRET_KEY"]]
)
def test_production_refuses_a_key_that_can_be_guessed(key, read):
    with pytest.raises(ImproperlyConfigured, match="SECRET_KEY is too easy to guess") as refused:
        read(**{**PRODUCTION, "SECRET_KEY": key})
    assert key not in str(refused.value)


@pytest.mark.parametrize("make", [secrets.token_urlsafe, secrets.token_hex])
def test_a_random_key_is_strong_enough(make, monkeypatch):
    for _ in range(200):
        monkeypatch.setenv("SECRET_KEY", make(50))
        assert environment.strong_secret_key("SECRET_KEY")


def asked(folder, path, told=None, **variables):
    with serving(folder, **variables) as site:
        return site.ask("GET", path, headers={"Host": "polyhedral.example", **(told or {})})


def test_the_needed_variables_make_a_site_that_works_behind_a_proxy(tmp_path):
    folder = copied(tmp_path)
    status, headers, _ = asked(folder, "/rules/", **PRODUCTION)
    assert (status, headers["Location"]) == (301, "https://polyhedral.example/rules/")
    status, headers, html = asked(folder, "/rules/", {"X-Forwarded-Proto": "https"}, **PRODUCTION)
    assert (status, headers["Strict-Transport-Security"]) == (200, "max-age=31536000")
    assert "<h1>" in html


def test_hsts_preload_is_sent_if_it_is_set(tmp_path):
    told = {"X-Forwarded-Proto": "https"}
    headers = asked(copied(tmp_path), "/rules/", told, HSTS_PRELOAD="1", **PRODUCTION)[1]
    assert headers["Strict-Transport-Security"] == "max-age=31536000; includeSubDomains; preload"


@pytest.mark.parametrize(("debug", "status"), [("0", 404), ("1", 200)])
def test_the_style_page_is_shown_only_in_debug_mode(tmp_path, debug, status):
    assert asked(copied(tmp_path), "/style/", {"Host": "localhost"}, DEBUG=debug)[0] == status


def test_a_local_site_makes_its_secret_key_once_and_keeps_it_to_itself(tmp_path):
    first = start(tmp_path, "print(settings.SECRET_KEY)").stdout
    assert len(first.strip()) > 50
    assert start(tmp_path, "print(settings.SECRET_KEY)").stdout == first
    assert stat.S_IMODE((tmp_path / "secret-key").stat().st_mode) == 0o600


def test_the_data_folder_is_made_for_its_owner_alone_and_one_that_is_there_stays_as_it_is(tmp_path):
    there = tmp_path / "there"
    there.mkdir()
    there.chmod(0o755)
    for folder in (tmp_path / "served", there):
        start(folder, "settings.SECRET_KEY")
    with occupied.alone(tmp_path / "restored"):
        pass
    modes = {folder.name: stat.S_IMODE(folder.stat().st_mode) for folder in tmp_path.iterdir()}
    assert modes == {"served": 0o700, "restored": 0o700, "there": 0o755}


@pytest.mark.parametrize(("value", "folder"), [("~/data", "data"), ("~", "")])
def test_the_data_folder_may_be_named_from_the_home_folder(tmp_path, read, value, folder):
    assert read(DATA_DIR=value, HOME=str(tmp_path))["DATA_DIR"] == tmp_path / folder


FULL_DISK = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY)); "


def test_a_full_disk_leaves_no_empty_secret_key(tmp_path):
    refused = start(tmp_path, f"{FULL_DISK}settings.SECRET_KEY")
    assert f"The secret key {tmp_path}/secret-key cannot be read or made" in refused.stderr
    assert len(start(tmp_path, "print(settings.SECRET_KEY)").stdout.strip()) > 50


def test_an_empty_secret_key_is_refused_with_a_sentence(tmp_path, read):
    (tmp_path / "secret-key").touch()
    refused = f"The secret key {tmp_path}/secret-key is empty. Put back the one of a backup"
    with pytest.raises(ImproperlyConfigured, match=refused):
        read()


def test_a_secret_key_that_is_not_text_is_refused_with_a_sentence(tmp_path, read):
    (tmp_path / "secret-key").write_bytes(b"\xff")
    refused = f"The secret key {tmp_path}/secret-key cannot be read or made: it is not text."
    with pytest.raises(ImproperlyConfigured, match=refused):
        read()


def test_a_postgresql_url_is_read():
    found = environment.database("postgresql://ana:p%40ss@db.example:5433/poly?sslmode=require")
    assert (found["NAME"], found["USER"], found["PASSWORD"]) == ("poly", "ana", "p@ss")
    assert (found["HOST"], found["PORT"], found["OPTIONS"]["sslmode"]) == ("db.example", "5433", "require")
    assert found["OPTIONS"]["pool"]
    assert found["OPTIONS"]["server_side_binding"], "a statement with the values in it is planned anew each time"
    assert found["OPTIONS"]["prepare_threshold"]


def test_names_in_a_postgresql_url_may_be_escaped_and_its_options_come_before_ours():
    found = environment.database("postgresql://a%40b@db.example/my%20games?connect_timeout=9")
    assert (found["NAME"], found["USER"], found["OPTIONS"]["connect_timeout"]) == ("my games", "a@b", "9")


def test_a_unix_socket_is_named_as_host():
    found = environment.database("postgres://ana@/poly?host=/run/postgresql")
    assert (found["HOST"], found["PORT"]) == ("/run/postgresql", "")


@pytest.mark.parametrize(("url", "name"), [("sqlite:///a/b.db", "a/b.db"), ("sqlite:////var/b.db", "/var/b.db")])
def test_a_sqlite_url_names_a_file(url, name):
    assert environment.database(url)["NAME"] == name


def test_the_database_is_in_the_data_folder_whatever_that_is_called(tmp_path, read):
    folder = tmp_path / "C# 50%20 what?"
    assert read(DATA_DIR=str(folder))["DATABASES"]["default"]["NAME"] == str(folder / "polyhedral.sqlite3")


# Each names another file than it seems to.
MISREAD = ["sqlite://data/x.sqlite3", "sqlite:////srv/x.sqlite3?mode=ro", "sqlite:////srv/C#/x.sqlite3"]


@pytest.mark.parametrize("url", ["mysql://x/y", "nonsense", "sqlite://", "sqlite:///:memory:", *MISREAD])
def test_other_database_urls_are_refused_with_a_sentence(url):
    with pytest.raises(ImproperlyConfigured, match="DATABASE_URL must"):
        environment.database(url)


@pytest.mark.parametrize("password", ["p#ss", "p/ss", "p?ss", "p[ss", "12#34", "12/34", "p\u2100ss"])
def test_a_password_that_was_not_read_is_not_shown(password):
    with pytest.raises(ImproperlyConfigured) as refused:
        environment.database(f"postgresql://ana:{password}@db.example/poly")
    assert str(refused.value) == environment.NO_ADDRESS
    assert "In a password, write # as %23" in environment.NO_ADDRESS


@pytest.mark.parametrize("password", ["p#s/s", "p?[@%2F"])
def test_a_password_may_be_written_with_other_signs(password):
    found = environment.database(f"postgresql://ana:{quote(password, safe='')}@db.example/poly")
    assert (found["PASSWORD"], found["HOST"], found["NAME"]) == (password, "db.example", "poly")


@pytest.mark.parametrize(
    ("variables", "address"),
    [
        ({}, "http://localhost:8000"),
        ({"PORT": "8123", "ALLOWED_HOSTS": "*,192.168.1.20"}, "http://192.168.1.20:8123"),
        ({"SITE_URL": "https://games.example.org/"}, "https://games.example.org"),
        (PRODUCTION, "https://polyhedral.example"),
        ({**PRODUCTION, "SITE_URL": "https://games.example.org:8443"}, "https://games.example.org:8443"),
    ],
)
def test_links_in_mail_lead_to_the_first_allowed_host_or_to_site_url(read, variables, address):
    assert read(**variables)["SITE_URL"] == address


@pytest.mark.parametrize(
    "wrong",
    [
        {"SITE_URL": wrong}
        for wrong in (
            "games.example.org",
            "ftp://x.org",
            "https://",
            "https://x.org/path",
            "https://x:port",
            "https://a@b",
            "https://.x.org",
        )
    ],
)
def test_a_site_url_that_cannot_be_opened_is_refused(read, wrong):
    with pytest.raises(ImproperlyConfigured, match="SITE_URL must be the address of the site"):
        read(**wrong)


@pytest.mark.parametrize("sender", ["The table <site@example.org>", '"The 1. table, ours" <site@example.org>'])
def test_mail_may_come_from_an_address_with_a_name(read, sender):
    assert read(EMAIL_FROM=sender)["DEFAULT_FROM_EMAIL"] == sender


@pytest.mark.parametrize(
    "sender",
    [
        "a@x.org, b@x.org",
        "a@x.org; b@x.org",
        "The table <a@x.org>, B <b@x.org>",
        "a@x.org b@x.org",
        "The table, ours <a@x.org>",
        "The 1. table <a@x.org>",
        "The table",
        "@x.org",
        "<",
    ],
)
def test_mail_comes_from_one_address_that_can_be_sent_from(monkeypatch, sender):
    monkeypatch.setenv("EMAIL_FROM", sender)
    with pytest.raises(ImproperlyConfigured, match="EMAIL_FROM must be one address such as site@example.org, not"):
        environment.sender("EMAIL_FROM", "")


@pytest.mark.parametrize("names", ["*", ".example.org", "*,.example.org"])
def test_without_a_name_of_its_own_the_site_asks_for_its_address(read, names):
    with pytest.raises(ImproperlyConfigured, match="SITE_URL must be set.*ALLOWED_HOSTS has only patterns"):
        read(**{**PRODUCTION, "ALLOWED_HOSTS": names})


@pytest.mark.parametrize("names", ["https://x.org", "x.org/", "x.org:8000", "a b", "x.org,http://y.org/", "*.x.org"])
def test_an_address_is_no_allowed_host(read, names):
    refused = "ALLOWED_HOSTS takes names such as characters.example.org, without https:// and port"
    with pytest.raises(ImproperlyConfigured, match=refused):
        read(ALLOWED_HOSTS=names)


@pytest.mark.parametrize("host", ["::1", "[::1]", "fd00::5", "[fd00::5]", "192.0.2.7"])
def test_a_local_site_answers_by_the_address_it_listens_on(read, host):
    address = host.strip("[]")
    asked_by = f"[{address}]" if ":" in address else address
    found = read(HOST=host)
    assert found["HOST"] == address
    assert validate_host(asked_by, found["ALLOWED_HOSTS"])


def test_commas_alone_are_no_allowed_hosts(read):
    with pytest.raises(ImproperlyConfigured, match="ALLOWED_HOSTS is empty: ' , ' names nothing."):
        read(**{**PRODUCTION, "ALLOWED_HOSTS": " , "})


@pytest.mark.parametrize("names", ["*", ".x.org", "x.org.", "localhost,[::1]", "10.0.0.7, my_pc"])
def test_names_and_patterns_are_allowed_hosts(monkeypatch, names):
    monkeypatch.setenv("ALLOWED_HOSTS", names)
    assert environment.hosts("ALLOWED_HOSTS") == [name.strip() for name in names.split(",")]


def test_a_trusted_origin_has_no_path(monkeypatch):
    monkeypatch.setenv("CSRF_TRUSTED_ORIGINS", "https://a.example,https://*.b.example:8443")
    assert environment.origins("CSRF_TRUSTED_ORIGINS") == ["https://a.example", "https://*.b.example:8443"]
    monkeypatch.setenv("CSRF_TRUSTED_ORIGINS", "https://a.example/games")
    with pytest.raises(ImproperlyConfigured, match="CSRF_TRUSTED_ORIGINS takes addresses such as"):
        environment.origins("CSRF_TRUSTED_ORIGINS")


@pytest.mark.parametrize("name", ["mail.example.org:25", "smtp://mail.example.org", "[::1]", "mail example"])
def test_a_mail_server_is_named_without_its_port(monkeypatch, name):
    monkeypatch.setenv("EMAIL_HOST", name)
    with pytest.raises(ImproperlyConfigured, match="EMAIL_HOST must be the name of a server such as"):
        environment.mail_server("EMAIL_HOST")


@pytest.mark.parametrize("name", ["mail.example.org", "mail_1", "192.0.2.7", "::1", "2001:db8::7", "::ffff:192.0.2.7"])
def test_names_and_ip_addresses_are_mail_servers(monkeypatch, name):
    monkeypatch.setenv("EMAIL_HOST", name)
    assert environment.mail_server("EMAIL_HOST") == name


@pytest.mark.parametrize(
    ("variables", "spoken"),
    [
        ({}, (587, False, True)),
        ({"EMAIL_PORT": "465"}, (465, True, False)),
        ({"EMAIL_PORT": "25", "EMAIL_TLS": "0"}, (25, False, False)),
        ({"EMAIL_PORT": "465", "EMAIL_TLS": "0"}, (465, False, False)),
    ],
)
def test_on_port_465_mail_is_encrypted_from_the_first_byte(settings, read, variables, spoken):
    settings.MAILERS = read(EMAIL_HOST="mail.example", **variables)["MAILERS"]
    server = MailersHandler()["server"]
    assert (server.port, server.use_ssl, server.use_tls) == spoken


def test_flags_and_numbers_refuse_what_they_cannot_read(monkeypatch):
    monkeypatch.setenv("DEBUG", "perhaps")
    with pytest.raises(ImproperlyConfigured, match="DEBUG must be 1 or 0"):
        environment.flag("DEBUG")
    for wrong in ("80a", "²"):  # a digit, but no number to Python
        monkeypatch.setenv("PORT", wrong)
        with pytest.raises(ImproperlyConfigured, match="PORT must be a whole number"):
            environment.number("PORT", 8000)
    for wrong in ("0", "65"):
        monkeypatch.setenv("WEB_PROCESSES", wrong)
        with pytest.raises(ImproperlyConfigured, match="WEB_PROCESSES must be a whole number from 1 to 64"):
            environment.number("WEB_PROCESSES", 1, 1, 64)


def test_flags_and_lists_are_read_as_people_write_them(monkeypatch):
    monkeypatch.setenv("DEBUG", " True ")
    monkeypatch.setenv("ALLOWED_HOSTS", " a.org, b.org ,")
    assert environment.flag("DEBUG") is True
    assert environment.hosts("ALLOWED_HOSTS") == ["a.org", "b.org"]


@pytest.fixture
def as_served(tmp_path, monkeypatch, django_db_blocker):
    """The connection of a real site on SQLite; the tests' own does not wait for the disk."""
    found = ConnectionHandler({"default": environment.database(f"sqlite:///{tmp_path / 'site.sqlite3'}")})
    monkeypatch.setattr(checks, "connections", found)
    with django_db_blocker.unblock():
        yield found["default"]
        found["default"].close()


def test_the_sqlite_options_are_in_force(as_served):
    assert checks.sqlite_options_hold(None, databases=["default"]) == []


def test_the_check_notices_an_sqlite_option_that_is_not_in_force(as_served):
    as_served.cursor().execute("PRAGMA synchronous=NORMAL")
    errors = checks.sqlite_options_hold(None, databases=["default"])
    assert [error.id for error in errors] == ["site.E001"]


def test_the_check_of_sqlite_options_skips_postgresql(monkeypatch):
    found = ConnectionHandler({"default": environment.database("postgresql://ana@db.example/poly")})
    monkeypatch.setattr(checks, "connections", found)
    assert checks.sqlite_options_hold(None, databases=["default"]) == []
