"""A server killed while it writes loses nothing that it acknowledged. `make soak` does this two hundred times."""

import os
import subprocess
import sys
import uuid
from urllib.parse import urlsplit, urlunsplit

import pytest
from django.db import connection


@pytest.fixture
def apart(tmp_path, db):
    """An environment with a database of its own: the killed server's commits are real ones."""
    environment = {**os.environ, "DATA_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "tests.settings"}
    if connection.vendor == "sqlite":
        yield environment
        return
    name = f"kills_{uuid.uuid4().hex}"
    with connection._nodb_cursor() as cursor:
        cursor.execute(f"CREATE DATABASE {name}")
    parts = urlsplit(os.environ["DATABASE_URL"])
    yield {**environment, "DATABASE_URL": urlunsplit(parts._replace(path=f"/{name}"))}
    with connection._nodb_cursor() as cursor:
        cursor.execute(f"DROP DATABASE {name} WITH (FORCE)")


def test_nothing_acknowledged_is_lost(apart):
    for command in (["manage.py", "migrate", "-v0"], ["manage.py", "load_rules", "polyhedral-core"]):
        subprocess.run([sys.executable, *command], env=apart, check=True, capture_output=True)
    run = [sys.executable, "-m", "tests.soak.kills", "--kills", "3", "--writers", "3"]
    done = subprocess.run(run, env=apart, capture_output=True, text=True, timeout=120)
    print(done.stdout)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "3 kills" in done.stdout
