"""Undoings that were made before each knew the change that it goes back to."""

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from characters.models import Change
from tests.characters.play.table import seated

BEFORE = [("characters", "0008_root")]


def migrate(where=None):
    """To there, or to the newest."""
    executor = MigrationExecutor(connection)
    executor.migrate(where or executor.loader.graph.leaf_nodes("characters"))


@pytest.mark.django_db(transaction=True)
def test_they_are_told_what_they_go_back_to():
    seat = seated()
    hit, other = (seat.take_damage(amount=1) for _ in range(2))
    undone = seat.undo(hit)
    again = seat.undo(undone)
    alone = seat.undo(other)
    made = dict(Change.objects.values_list("pk", "root"))
    assert made == {hit.pk - 1: None, hit.pk: None, other.pk: None} | {
        undone.pk: hit.pk,
        again.pk: hit.pk,
        alone.pk: other.pk,
    }
    migrate(BEFORE)
    try:
        Change.objects.update(root=None)
    finally:
        migrate()
    assert dict(Change.objects.values_list("pk", "root")) == made
