import gc
import os

import pytest
from hypothesis import settings

from tests.support import prepared_site

# Playwright keeps an event loop running in the thread of the tests, which Django takes for an asynchronous caller.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"

# The same examples in every run, so that a test fails only if the code has changed; `make soak` draws others (SOAK=1).
settings.register_profile("certain", derandomize=not os.environ.get("SOAK"), deadline=None)
settings.load_profile("certain")

pytest_plugins = ["tests.support.browser", "tests.support.runs", "tests.support.visitors"]


def pytest_configure():
    """Runs before there are workers, so that they share the prepared site."""
    prepared_site.share()


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Collect the tests without garbage collection, then freeze them: they stay to the end of the run."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup, django_db_blocker):
    """Load the core rules once into the test database, and put them back after tests that empty it.

    The cache is emptied too: its table, which belongs to no model, counts wrong passwords of earlier tests.
    """
    from django.core.cache import cache
    from django.core.management.commands import flush
    from django.test import TransactionTestCase

    from polyhedral_site.asgi import freeze_gc
    from rules.packs.load import load_rules
    from tests.support.snapshot import Snapshot

    with django_db_blocker.unblock():
        load_rules("polyhedral-core")
        rules, permissions = Snapshot("rules"), Snapshot("contenttypes", "auth")
    empty_tables = TransactionTestCase._fixture_teardown

    def empty_tables_but_keep_rules(self):
        empty_tables(self)
        cache.clear()
        permissions.restore()
        rules.restore()

    with pytest.MonkeyPatch.context() as patch:
        # This signal would make every permission again, which takes longer than to put the rows back.
        patch.setattr(flush, "emit_post_migrate_signal", lambda *args, **kwargs: None)
        patch.setattr(TransactionTestCase, "_fixture_teardown", empty_tables_but_keep_rules)
        freeze_gc()
        yield rules


@pytest.fixture(scope="session", autouse=True)
def rows_are_in_force():
    """Sources that a test makes row by row, without a publication, are read from their rows.

    The rows count as they are at the first read; a test has to `publish` later edits.
    """
    from rules import compile, publications
    from rules.models import Publication
    from rules.packs.source_rows import read_source
    from rules.publications import in_force, packed, unpacked

    def from_rows(source):
        try:
            return in_force(source)
        except Publication.DoesNotExist:
            return unpacked(packed(read_source(source)))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compile, "in_force", from_rows)
        patch.setattr(publications, "in_force", from_rows)
        yield


@pytest.fixture(scope="module")
def shared(django_db_setup, django_db_blocker):
    """Makes rows that every test of a module begins with: `shared(make)`, in a transaction around theirs.

    Do not use it in a module with tests that commit: they would wait for this transaction.
    """
    from django.db import transaction

    around = transaction.atomic()
    around._from_testcase = True  # as Django marks its own, so that a `durable` transaction may begin within it
    with django_db_blocker.unblock():
        around.__enter__()

    def made(make):
        with django_db_blocker.unblock():
            return make()

    yield made
    with django_db_blocker.unblock():
        transaction.set_rollback(True)
        around.__exit__(None, None, None)


@pytest.fixture(scope="module")
def begun(request, shared):
    """The rows that the tests of a module start from, made by its `begin`."""
    return shared(request.module.begin)


@pytest.fixture
def no_rules(db, django_db_setup):
    """Empties the rules, for tests that create their own game."""
    django_db_setup.delete()


@pytest.fixture(scope="module")
def postgres(tmp_path_factory):
    """The URL of a PostgreSQL with a prepared site, and the folder that belongs to it."""
    folder = tmp_path_factory.mktemp("data")
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("DATABASE_URL", raising=False)
        with prepared_site.postgresql(folder) as url:
            yield url, folder


@pytest.fixture(params=["sqlite", "postgresql"])
def migrated(request, tmp_path):
    """A prepared site on each database."""
    from tests.support.place import Place
    from tests.support.site import copied

    if request.param == "sqlite":
        return Place(copied(tmp_path / "site"))
    url, folder = request.getfixturevalue("postgres")
    return Place(folder, url)


@pytest.fixture
def editor(client, db):
    """Ada, who may edit all content, at the admin."""
    from django.contrib.auth.models import User

    client.force_login(User.objects.create_superuser("ada", "ada@example.com", "a long password"))
    return client


@pytest.fixture
def ana(db):
    from django.contrib.auth.models import User

    return User.objects.create_user("ana", "ana@example.com", "a long password")
