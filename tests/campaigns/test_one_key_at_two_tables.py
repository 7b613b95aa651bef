"""The same key sent to two tables at the same moment begins only one character."""

import threading

import pytest
from django.db import transaction

from campaigns.verbs.seats import begin
from characters.change.refusals import KeyReused
from tests.campaigns.seated import saltmarsh
from tests.characters.cast import new_key, person
from tests.support.at_once import at_once, until_one_waits

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.full]


def test_one_key_at_two_tables_begins_one():
    one, other, key, made = saltmarsh(), saltmarsh(), new_key(), threading.Event()

    def first():
        around = transaction.atomic()
        around._from_testcase = True  # so that the verb may begin its outermost transaction within it
        with around:
            found = begin(one.pk, person(), key)
            made.set()
            until_one_waits()
        return found

    def second():
        made.wait(10)
        return begin(other.pk, person(), key)

    found, refused = at_once(first, second)
    assert found.campaign == one
    assert isinstance(refused, KeyReused), repr(refused)
