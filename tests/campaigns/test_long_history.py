"""The pages of a table cost the database no more when its characters have a long history."""

import pytest

from tests.characters.cast import browser_of, person
from tests.characters.play.table import Seat
from tests.support.database_steps import grown, more, steps_of

pytestmark = [pytest.mark.django_db, pytest.mark.full]
# The log is not here: it puts all changes of all characters in one order, and takes 26 steps for each. The events
# beside the roster are of the newest changes of each.
PAGES = (
    *("", "log/latest/", "people/", "notes/", "files/", "print/", "act/damage/", "encounter/", "relationships/"),
    "purchases/",
)


def steps_for(name, campaign):
    client = browser_of(name)
    found = {}
    for page in PAGES:
        address = f"{campaign.get_absolute_url()}{page}"
        if client.get(address).status_code == 200:
            found[page] = steps_of(lambda address=address: client.get(address))
    return found


def test_a_tables_pages_take_no_more_database_steps_with_long_histories(campaign, party):
    for name, character in party.items():
        grown(Seat(character, person(name)), 10)
    before = {name: steps_for(name, campaign) for name in ("ana", "bo")}
    assert len(before["ana"]) > 6
    for name, character in party.items():
        grown(Seat(character, person(name)), 100)
    for name, steps in before.items():
        assert more(steps, steps_for(name, campaign)) == {}
