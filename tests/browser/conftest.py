from itertools import cycle

import pytest
from django.contrib.auth.models import User

from characters.actions.action_context import CHANCE
from characters.introductions import note_read
from characters.people import Person
from tests.support.characters import owned_by
from tests.support.streaming import streaming, until

# Each of these takes as long as thirty others: started last, they would leave one core idle.
LONG = ("test_swaps", "test_play")


def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: not item.path.stem.startswith(LONG))


@pytest.fixture(autouse=True)
def usual_dice(monkeypatch):
    """No roll is a critical hit, which would be open in the tray. Tests of critical hits bring dice of their own."""
    faces = cycle((2, 5, 3))
    monkeypatch.setattr(CHANCE, "randint", lambda low, high: min(max(next(faces), low), high))


@pytest.fixture
def ana(transactional_db):
    """Ana has played before: no introduction shows."""
    ana = User.objects.create_user("ana", "ana@example.com", "a long password")
    note_read(Person(ana))
    return ana


@pytest.fixture
def base(ana):
    """The address of Ana's own copy of a sample."""
    return owned_by(ana).get_absolute_url()


@pytest.fixture
def site(new_page):
    """A site with streams: its address, and its application."""
    with streaming() as (port, application):
        yield f"http://localhost:{port}", application
        new_page.close()  # their streams would look for a server that is gone


@pytest.fixture
def opened(new_page, site):
    """Opens a page for a user and waits for its stream: `opened(user, path)`."""

    def open_page(user, path, **how):
        page, before = new_page(user=user, **how), len(site[1].hub.all())
        page.goto(site[0] + path)
        until(lambda: len(site[1].hub.all()) == before + 1)
        return page

    return open_page
