import os
from copy import deepcopy
from urllib.parse import urlsplit, urlunsplit

import pytest
from django.db import connection

from tests.characters.play.table import Seat, seated


@pytest.fixture(scope="module")
def begun(shared):
    return shared(lambda: seated().character)


@pytest.fixture
def seat(begun):
    """The seat of `seated()`."""
    return Seat(deepcopy(begun))


@pytest.fixture
def at_servers(transactional_db, monkeypatch):
    """Server processes that the test starts use the database of the test."""
    name = connection.settings_dict["NAME"]
    if connection.vendor == "sqlite":
        url = f"sqlite:///{name}"
    else:
        url = urlunsplit(urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{name}"))
    monkeypatch.setenv("DATABASE_URL", url)
