"""Pages and actions cost the database no more when the character, or another one, has a long history."""

import pytest
from django.contrib.auth.models import User

from characters.people import Person
from tests.characters.cast import browser_of, new_key
from tests.characters.play.table import Seat
from tests.support.characters import owned_by
from tests.support.database_steps import grown, more, steps_of

pytestmark = [pytest.mark.django_db, pytest.mark.full]
SHORT, LONG = 10, 200

# A path below the character or a whole address, and the form that is sent.
ASKED = {
    "sheet": ("", None),
    "history": ("history/", None),
    "rolls": ("history/?kind=rolls", None),
    "watch": ("watch/", None),
    "levels": ("levels/", None),
    "rest": ("rest/", None),
    "downtime": ("downtime/", None),
    "pool": ("pool/", None),
    "hit": ("play/take-damage/", {"amount": "1"}),
    "roll": ("play/roll/", {"roll": "skill.athletics"}),
    "my characters": ("/characters/", None),
    "notifications": ("/notifications/", None),
}


@pytest.fixture
def seats():
    """Two people of whom each has a character."""

    def seat(name):
        user = User.objects.create_user(name, f"{name}@example.com")
        return Seat(owned_by(user), Person(user))

    return seat("ana"), seat("bo")


def steps_for(seat):
    """The steps of the database for each page and action, when this person asks for the second time."""
    client = browser_of(seat.who)

    def ask(path, form):
        address = path if path.startswith("/") else f"/characters/{seat.character.pk}/{path}"
        answer = client.get(address) if form is None else client.post(address, {"key": new_key(), **form})
        assert answer.status_code < 400

    found = {}
    for name, asked in ASKED.items():
        ask(*asked)
        found[name] = steps_of(lambda asked=asked: ask(*asked))
    return found


def test_a_long_history_takes_no_more_steps_than_a_short_one(seats):
    ana, bo = seats
    grown(ana, SHORT)
    grown(bo, LONG)
    assert more(steps_for(ana), steps_for(bo)) == {}


def test_somebody_elses_long_history_takes_no_more_steps(seats):
    ana, bo = seats
    grown(ana, SHORT)
    before = steps_for(ana)
    grown(bo, LONG)
    assert more(before, steps_for(ana)) == {}
