"""Several hands at one table: all that was acknowledged counts, one form counts once, and only the lock makes it so.

`make soak` does the same with 64 writers in several processes.
"""

from unittest.mock import patch

import pytest
from django.db import connection, connections

from characters import journal
from characters.lookup import Lookup
from characters.models import Change
from tests.characters.play.table import seated
from tests.characters.test_races import at_once

pytestmark = pytest.mark.django_db(transaction=True)
WRITERS, CHANGES = 6, 4


def race():
    """Everybody hits; answers whether what was told is what is stored, with no failure."""
    seat = seated(level=8, ranks={"vitality": 20})

    def writer():
        return [seat.take_damage(amounts=[(1, "fire")]) for _ in range(CHANGES)]

    answers = at_once(*[writer] * WRITERS)
    told = sum(c.after["spent:health"] - c.before["spent:health"] for a in answers if isinstance(a, list) for c in a)
    all_came = all(isinstance(answer, list) for answer in answers)
    return all_came and told == seat.spent("health") == WRITERS * CHANGES


def test_all_that_was_acknowledged_counts():
    assert race()


def test_without_the_lock_the_same_race_fails():
    with patch.object(journal, "locked", Lookup(lambda all, person: all.kept_by(person))):
        options = connections.settings["default"].get("OPTIONS", {})
        if connection.vendor == "sqlite":
            with patch.dict(options, transaction_mode="DEFERRED"):
                assert not all(race() for _ in range(5))
        else:
            assert not all(race() for _ in range(5))


def test_one_form_sent_eight_times_is_one_hit_with_eight_equal_answers():
    seat = seated(level=3)
    answers = at_once(*[lambda: seat.take_damage(key="one-form", amounts=[(2, "")])] * 8)
    assert len({answer.pk for answer in answers if isinstance(answer, Change)}) == 1
    assert not [answer for answer in answers if not isinstance(answer, Change)]
    assert seat.spent("health") == 2


def test_one_undo_wins():
    seat = seated(level=3)
    hit = seat.take_damage(amounts=[(2, "")])
    answers = at_once(*[lambda: seat.undo(hit)] * 4)
    assert sorted(type(answer).__name__ for answer in answers) == ["Change", "Refused", "Refused", "Refused"]
    assert seat.spent("health") == 0
