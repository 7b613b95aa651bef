"""The SQL of a sheet and of a hit is built once per process (`rules/fast_sql`)."""

import pytest
from django.db.models.sql.compiler import SQLCompiler

pytestmark = pytest.mark.fast


@pytest.fixture
def put_together(monkeypatch):
    """The tables of the queries that Django has built since the test began."""
    found, as_sql = [], SQLCompiler.as_sql

    def noting(compiler, *args, **kwargs):
        found.append(compiler.query.get_meta().db_table)
        return as_sql(compiler, *args, **kwargs)

    monkeypatch.setattr(SQLCompiler, "as_sql", noting)
    return found


def test_a_second_sheet_builds_no_query(player, put_together):
    player.get()
    put_together.clear()
    player.get()
    assert put_together == []


def test_a_second_hit_builds_no_query(player, put_together):
    player.send("take-damage", amount="1")
    put_together.clear()
    player.send("take-damage", amount="1")
    assert put_together == []


def test_the_fixture_notices_a_query_that_is_built(player, put_together):
    assert player.character
    assert put_together == ["characters_character"]
