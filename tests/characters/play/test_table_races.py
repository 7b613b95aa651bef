"""Several writers at one table: every acknowledged change counts, one form counts once, and only the lock ensures it.

`make soak` does the same with 64 writers and 25 changes of each.
"""

import pytest

from tests.characters.play.table import seated
from tests.soak.writers import with_the_lock, without_the_lock
from tests.support.at_once import at_once

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
SHORT = {"writers": 8, "changes": 5, "servers": 2}


@pytest.mark.fast  # an answer shows the version of its own change; read again, it could name a later one
@pytest.mark.usefixtures("at_servers")
def test_every_acknowledged_change_counts_and_one_form_counts_once():
    assert with_the_lock(**SHORT)


@pytest.mark.usefixtures("at_servers")
def test_without_the_lock_the_same_race_fails():
    assert without_the_lock(**SHORT)


def test_only_one_of_four_undos_at_once_succeeds():
    seat = seated(level=3)
    hit = seat.take_damage(amount=2)
    answers = at_once(*[lambda: seat.undo(hit)] * 4)
    assert sorted(type(answer).__name__ for answer in answers) == ["Change", "Refused", "Refused", "Refused"]
    assert seat.spent("health") == 0
