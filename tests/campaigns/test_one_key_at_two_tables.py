"""A key that has made something at another table is refused, also when both forms come at the same moment."""

import threading

import pytest
from django.db import connection, transaction

from campaigns.verbs.campaign_notes import write
from campaigns.verbs.seats import begin
from campaigns.verbs.session_marks import set_mark
from characters.change.refusals import KeyReused
from tests.campaigns.seated import saltmarsh
from tests.campaigns.test_lock_order import until_one_waits
from tests.characters.cast import new_key, person
from tests.characters.test_races import at_once

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.full]

MADE = {
    "a note": lambda campaign, key: write(campaign.pk, person(), key, text="Ebb", reader="everyone"),
    "a character": lambda campaign, key: begin(campaign.pk, person(), key),
    "a mark": lambda campaign, key: set_mark(campaign.pk, person(), key, name="Reef"),
}


@pytest.mark.parametrize("make", MADE.values(), ids=MADE)
def test_one_key_at_two_tables_makes_one(make):
    one, other, key, made = saltmarsh(), saltmarsh(), new_key(), threading.Event()

    def first():
        around = transaction.atomic()
        around._from_testcase = True  # so that the verb may begin its outermost transaction within it
        with around:
            found = make(one, key)
            made.set()
            if connection.vendor == "postgresql":
                until_one_waits()
        return found

    def second():
        made.wait(10)
        return make(other, key)

    found, refused = at_once(first, second)
    assert found.campaign == one
    assert isinstance(refused, KeyReused), repr(refused)
