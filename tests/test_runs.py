"""A test that runs once is kept from the database of the run, and from asking which it is."""

import pytest
from django.conf import settings
from django.contrib.auth import get_user_model


def test_a_test_without_a_database_runs_once(request):
    assert request.node.get_closest_marker("once")


def test_it_cannot_ask_which_database_there_is():
    with pytest.raises(AssertionError, match="mark it each_database"):
        settings.DATABASES["default"]


def test_it_cannot_reach_the_database():
    with pytest.raises(RuntimeError, match="Database access not allowed"):
        get_user_model().objects.exists()


@pytest.mark.each_database
def test_a_test_that_asks_which_it_is_runs_on_each(request):
    assert not request.node.get_closest_marker("once")
    assert settings.DATABASES["default"]["ENGINE"]


def test_a_test_with_a_database_runs_on_each(request, db):
    assert not request.node.get_closest_marker("once")
