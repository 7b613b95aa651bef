import os
from urllib.parse import urlsplit, urlunsplit

import pytest
from django.db import connection


@pytest.fixture
def at_servers(transactional_db, monkeypatch):
    """Server processes that the test starts use the database of the test."""
    name = connection.settings_dict["NAME"]
    if connection.vendor == "sqlite":
        url = f"sqlite:///{name}"
    else:
        url = urlunsplit(urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{name}"))
    monkeypatch.setenv("DATABASE_URL", url)
