"""What the bench stands on."""

from threading import Barrier

import pytest
from django.contrib.auth import get_user_model

from bench.load import CONNECTIONS, Load


@pytest.mark.django_db(transaction=True)
def test_all_turns_of_a_load_may_ask_the_database_beside_whoever_drives_them():
    people = get_user_model().objects
    people.create(username="driver")  # and keeps one of a pool's connections
    all_of_them = Barrier(CONNECTIONS, timeout=30)

    def act(turn):
        all_of_them.wait()
        people.create(username=turn)

    Load(None, [f"turn {number}" for number in range(CONNECTIONS)]).each(act)
    assert people.count() == CONNECTIONS + 1
