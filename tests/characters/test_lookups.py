"""The lookups whose SQL is made once find what the querysets find, and nothing else."""

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.http import Http404

from characters.access import locked, playable, visible
from characters.models import Character
from characters.people import Person
from characters.verbs import start

pytestmark = pytest.mark.django_db


@pytest.fixture
def people():
    ana, bo = (Person(User.objects.create_user(name, f"{name}@example.com")) for name in ("ana", "bo"))
    return {
        "ana": ana,
        "bo": bo,
        "guest": Person(None, "a" * 64),
        "both": Person(ana.user, "a" * 64),
        "nobody": Person(),
    }


@pytest.mark.parametrize("lookup", [visible, playable, locked])
def test_each_person_finds_only_their_own_characters(people, lookup):
    kept = {name: start(people[name], f"key-of-{name}").character for name in ("ana", "bo", "guest")}
    found = {name: [key for key, one in kept.items() if comes(lookup, one.pk, people[name])] for name in people}
    assert found == {"ana": ["ana"], "bo": ["bo"], "guest": ["guest"], "both": ["ana", "guest"], "nobody": []}
    for name, one in kept.items():
        assert lookup(one.pk, people[name]) == one
        assert lookup(one.pk, people[name]).ruleset == one.ruleset


def test_only_the_locked_lookup_finds_a_character_in_the_bin(people):
    pk = start(people["ana"], "the-key-of-ana").character.pk
    Character.objects.filter(pk=pk).update(binned_at="2026-11-20T10:00Z")
    assert [comes(lookup, pk, people["ana"]) for lookup in (visible, playable, locked)] == [False, False, True]


@pytest.mark.parametrize("pk", [0, 999_999_999, 2**63, 2**200])
def test_an_unknown_id_finds_nothing(people, pk):
    assert not comes(visible, pk, people["ana"])


def comes(lookup, pk, person):
    try:
        with transaction.atomic():
            return bool(lookup(pk, person))
    except Http404:
        return False
