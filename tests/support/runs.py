"""The run that each test belongs to: `make test` runs everything, `make quick` only quick tests.

`browser`: everything in tests/browser, which runs once, on SQLite. `once`: tests that do not use the database of the
run. Their results do not depend on the database, so they run only once, with the SQLite tests. Most of them start a
site of their own, on SQLite or on PostgreSQL. `slow`, `full`, `smoke`: marked by hand. `make quick` leaves out slow and
full tests, and runs the smoke tests of the browser.
"""

import pytest
from django.conf import settings

DATABASE = {"db", "transactional_db", "live_server"}


def pytest_collection_modifyitems(items):
    for item in items:
        if "browser" in item.path.relative_to(item.config.rootpath).parts:
            item.add_marker("browser")
        elif not (DATABASE & set(item.fixturenames) or marked(item, "django_db") or marked(item, "each_database")):
            item.add_marker("once")


def marked(item, name):
    return item.get_closest_marker(name) is not None


class Unknown:
    """Stands in for the settings of the database if a test that runs once asks for them."""

    def __getitem__(self, name):
        raise AssertionError("This test runs once, so it may not ask for the database: mark it each_database.")


@pytest.fixture(autouse=True)
def without_database(request, monkeypatch):
    """Pytest-django keeps tests that run once away from the database. This keeps them from asking which database it
    is."""
    if marked(request.node, "once"):
        monkeypatch.setattr(settings, "DATABASES", Unknown())
