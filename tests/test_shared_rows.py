"""The fixture `shared`: rows that the tests of a module share."""

import pytest
from django.contrib.auth.models import User

from tests.characters.cast import person


@pytest.fixture(scope="module")
def ana(shared):
    return shared(person).user


@pytest.mark.parametrize("name", ["one", "another"])
def test_each_test_finds_the_shared_rows_as_they_were_made(ana, db, name):
    assert User.objects.get(pk=ana.pk).username == "ana"
    User.objects.update(username=name)


def test_only_a_test_that_asks_for_the_database_reaches_the_shared_rows(ana):
    with pytest.raises(RuntimeError, match="Database access not allowed"):
        User.objects.get(pk=ana.pk)
