"""Migrations make the tables that the models ask for, so other tests run on tables that were made without them.

On SQLite, and on a PostgreSQL of their own, whatever the suite runs on.
"""

import re

import pytest

from tests.support.place import Place

pytestmark = pytest.mark.slow

COLUMNS = """
SELECT table_name, column_name, data_type, character_maximum_length, is_nullable, column_default, is_identity,
  collation_name
FROM information_schema.columns WHERE table_schema = 'public'
"""
CONSTRAINTS = """
SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid > 0
"""
INDEXES = "SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'"
OURS = ("campaigns_", "characters_", "polyhedral_site_", "rules_")


def schema(place) -> set:
    """Each column, constraint and index of our tables."""
    if place.url:
        rows = [row for sql in (COLUMNS, CONSTRAINTS, INDEXES) for row in place.ask(sql)]
    else:
        written = place.ask("SELECT tbl_name, type, sql FROM sqlite_master WHERE sql IS NOT NULL")
        rows = [(table, kind, part) for table, kind, sql in written for part in parts(sql)]
    return {row for row in rows if row[0].startswith(OURS)}


def parts(sql) -> list[str]:
    """Each column and constraint of a table by itself, because their order may differ; an index as a whole."""
    if not sql.startswith("CREATE TABLE"):
        return [sql]
    inside, found, depth = sql[sql.index("(") + 1 : sql.rindex(")")], [""], 0
    for piece in re.split(r"([(),])", inside):
        depth += {"(": 1, ")": -1}.get(piece, 0)
        if piece == "," and not depth:
            found.append("")
        else:
            found[-1] += piece
    return [part.strip() for part in found]


def as_the_models_stand(place, folder) -> Place:
    made = place.empty(folder)
    status, said = made.run("-m", "tests.support.unmigrated")
    assert status == 0, said
    return made


def test_migrations_make_the_tables_that_the_models_ask_for(migrated, tmp_path):
    made = as_the_models_stand(migrated, tmp_path / "made")
    found = schema(migrated)
    assert len(found) > 500
    assert found == schema(made)
    made.ask("ALTER TABLE characters_note RENAME COLUMN text TO words")  # the control
    assert found != schema(made)
    made.remove()
