"""`/health/` reports the state of the site and writes nothing to the database."""

from types import SimpleNamespace

import pytest
from django.db import OperationalError, connection
from django.db.migrations.loader import MigrationLoader

from polyhedral_site import site_status
from rules.models import Source

BACKUP = {"backup": "none yet"}
WELL = {"database": "answers", "site": "is prepared", "storage": "can be written", **BACKUP}


@pytest.fixture(autouse=True)
def no_backup_yet(settings, tmp_path):
    settings.DATA_DIR = tmp_path


def asked(client):
    response = client.get("/health/")
    return response.status_code, response.json()


def test_the_health_page_says_that_all_is_well(client, db):
    assert asked(client) == (200, WELL)


def test_the_health_page_answers_without_its_last_slash(client, db):
    response = client.get("/health", headers={"host": "192.0.2.7:8000"})
    assert (response.status_code, response.json()) == (200, WELL)


def test_a_load_balancer_asks_by_an_ip_address_over_plain_http(client, db, settings):
    settings.SECURE_SSL_REDIRECT = True
    response = client.get("/health/", headers={"host": "192.0.2.7:8000"})
    assert (response.status_code, response.json()) == (200, WELL)


def test_the_health_page_writes_nothing_to_the_database(client, db, django_assert_max_num_queries):
    asked(client)  # some values are looked up once in a process
    with django_assert_max_num_queries(5) as asked_of_it:
        asked(client)
    words = {query["sql"].split()[0] for query in asked_of_it.captured_queries}
    assert words <= {"SELECT", "SHOW"}


def test_the_health_page_says_when_the_database_does_not_answer(client, db, monkeypatch):
    def fail():
        raise OperationalError("no such server")

    with monkeypatch.context() as patch:
        patch.setattr(connection, "cursor", fail)
        assert asked(client) == (503, {"database": "does not answer", **BACKUP})


@pytest.mark.slow
def test_the_health_page_says_when_a_migration_is_missing(client, db, settings, monkeypatch):
    # The tests' tables were made without migrations, so the table that records these is missing.
    settings.MIGRATION_MODULES = {}
    monkeypatch.setattr(site_status.migration_state, "known", site_status.migration_state.known.__wrapped__)
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE django_migrations (id integer, app text, name text, applied timestamp)")
        applied = list(MigrationLoader(None).disk_migrations)
        record = "INSERT INTO django_migrations (app, name) VALUES (%s, %s)"
        cursor.executemany(record, [(app, name) for app, name in applied if app != "characters"])
        assert asked(client) == (503, {**WELL, "site": "lacks tables: run manage.py prepare"})
        cursor.executemany(record, [(app, name) for app, name in applied if app == "characters"])
    assert asked(client) == (200, WELL)


def test_the_health_page_says_when_there_are_no_rules(client, no_rules):
    assert not Source.objects.exists()
    assert asked(client) == (503, {**WELL, "site": "lacks rules: run manage.py prepare"})


def test_the_health_page_says_when_storage_is_read_only(client, db, monkeypatch):
    if connection.vendor == "postgresql":
        connection.cursor().execute("SET TRANSACTION READ ONLY")
    else:
        monkeypatch.setattr("os.access", lambda path, mode: False)
    assert asked(client) == (503, {**WELL, "storage": "is read-only"})


@pytest.mark.parametrize("locked", ["the file", "its folder"])
def test_storage_is_read_only_if_the_file_or_its_folder_is(settings, monkeypatch, tmp_path, locked):
    file = tmp_path / "site.sqlite3"
    monkeypatch.setattr(site_status, "connection", SimpleNamespace(vendor="sqlite", settings_dict={"NAME": str(file)}))
    place = file if locked == "the file" else tmp_path
    monkeypatch.setattr("os.access", lambda path, mode: path != place)
    assert site_status.unwritable() == "is read-only"
    monkeypatch.setattr("os.access", lambda path, mode: True)
    assert site_status.unwritable() == ""


def test_the_health_page_says_when_the_last_backup_was_made(client, db, settings):
    (settings.DATA_DIR / "last-backup").write_text("2026-11-24T04:17:00+00:00")
    assert asked(client) == (200, {**WELL, "backup": "2026-11-24T04:17:00+00:00"})


@pytest.mark.parametrize("method", ["post", "put", "delete"])
def test_the_health_page_accepts_no_other_method(client, method):
    assert getattr(client, method)("/health/").status_code == 405
