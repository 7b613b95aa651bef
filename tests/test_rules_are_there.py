"""The fixtures keep the core rules in the database, even after a test that empties it."""

import pytest

from rules.models import Element, Source

SEEN = []


def contents():
    return Source.objects.values_list("slug", flat=True).first(), Element.objects.count()


def test_the_core_rules_are_there(db):
    SEEN.append(contents())
    assert SEEN[0][0] == "polyhedral-core"
    assert SEEN[0][1] > 100


def test_a_test_may_do_without_the_core_rules(no_rules):
    assert contents() == (None, 0)


@pytest.mark.parametrize("time", ["first", "second"])
def test_the_core_rules_are_there_again_after_every_table_was_emptied(transactional_db, time):
    SEEN.append(contents())
    assert set(SEEN) == {SEEN[0]}
    assert SEEN[0][1] > 100
    Element.objects.update(name="Changed")
