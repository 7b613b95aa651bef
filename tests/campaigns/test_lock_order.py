"""Several tables are locked in the order of their ids, not of their names, which can change. So no two verbs that lock
the same tables deadlock.

SQLite has one writer at a time, so there the order does not matter.
"""

import threading

import pytest
from django.db import transaction

from campaigns.models import Campaign, Member
from campaigns.verbs import campaigns, membership, seats
from tests.campaigns.seated import saltmarsh
from tests.characters.cast import person
from tests.support.at_once import at_once, until_one_waits
from tests.support.characters import owned_by

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.full]


def tables():
    """Three tables at which Bo sits; by name, the last one comes first."""
    made = [saltmarsh() for _ in range(3)]
    for one, name in zip(made, "cba", strict=True):
        Campaign.objects.filter(pk=one.pk).update(name=name)
        Member.objects.create(campaign=one, user=person("bo").user, name="Bo", role="player")
    return made


def held_up_at_the_first(act):
    """Lock the first table, let the act wait for it, and then lock the others, too."""
    first, *others = Campaign.objects.order_by("pk").values_list("pk", flat=True)
    held = threading.Event()

    def hold():
        with transaction.atomic():
            Campaign.objects.select_for_update().get(pk=first)
            held.set()
            until_one_waits()
            list(Campaign.objects.select_for_update().filter(pk__in=others).order_by("pk"))

    def wait():
        held.wait(10)
        return act()

    return at_once(hold, wait)


def test_the_tables_of_somebody_who_signs_in():
    made = tables()

    def act():
        with transaction.atomic():
            return membership.lock_tables(person("bo"))

    assert held_up_at_the_first(act) == [None, [one.pk for one in made]]


def test_the_former_table_of_a_character_that_sits_down_elsewhere():
    first, *_, last = tables()
    character = owned_by(person("bo").user)
    seats.bring(first.pk, person("bo"), character.pk)
    campaigns.throw_away(first.pk, person())
    held, brought = held_up_at_the_first(lambda: seats.bring(last.pk, person("bo"), character.pk))
    assert held is None
    assert brought.campaign == last
