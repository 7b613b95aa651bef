"""The limits on making characters: a normal table does not reach one, and nobody gets past one."""

import json
from datetime import timedelta

import pytest
from django.utils import timezone

from characters import verbs
from characters.change import limits
from characters.change.refusals import TooMany
from characters.models import Beginning, Character
from characters.people import SESSION_KEY, Person
from characters.samples import add_samples
from tests.characters.cast import document, guest, mira, new_key, person
from tests.support.characters import SAMPLES
from tests.support.clock import later

pytestmark = [pytest.mark.django_db, pytest.mark.full]


@pytest.fixture
def few(monkeypatch):
    monkeypatch.setattr(limits, "OF_A_GUEST", 3)
    monkeypatch.setattr(limits, "OF_AN_ACCOUNT", 5)
    monkeypatch.setattr(limits, "OF_AN_ADDRESS", ((timedelta(hours=1), 4), (timedelta(days=1), 6)))


def made(who):
    """The number of characters made before the limit; None if there is no limit."""
    for number in range(20):
        try:
            verbs.start(who, new_key())
        except TooMany:
            return number
    return None


def test_a_guest_makes_a_limited_number_and_characters_in_the_bin_count(few):
    who = guest()
    first = verbs.start(who, new_key()).character
    verbs.throw_away(first.pk, who, new_key())
    assert made(who) == 2
    assert Character.objects.filter(sample="").count() == 3


def test_an_account_makes_more_than_a_guest(few):
    assert made(person()) == 5


def test_without_the_limits_a_guest_makes_any_number(few, monkeypatch):
    """The control."""
    monkeypatch.setattr(limits, "reason_to_refuse", lambda who: "")
    assert made(guest()) is None


def test_many_browsers_of_one_address_count_together(few):
    assert [made(Person(guest=letter * 64, household="here")) for letter in "abc"] == [3, 1, 0]
    assert made(Person(guest="d" * 64, household="there")) == 3
    assert made(person("bo")) == 5  # an account does not count for its address


def test_an_address_makes_more_after_an_hour_up_to_the_limit_of_a_day(few):
    made(Person(guest="a" * 64, household="here"))
    made(Person(guest="b" * 64, household="here"))
    Beginning.objects.update(at=timezone.now() - timedelta(hours=1, minutes=1))
    assert made(Person(guest="c" * 64, household="here")) == 2
    with later(hours=22):
        limits.forget_old()
    assert Beginning.objects.count() == 6
    with later(hours=23):
        limits.forget_old()
    assert Beginning.objects.count() == 2


def test_a_form_that_is_sent_twice_counts_once(few):
    who, key = Person(guest="a" * 64, household="here"), new_key()
    first = verbs.start(who, key)
    made(who)
    assert verbs.start(who, key) == first
    assert Beginning.objects.count() == 3


def test_a_table_of_eight_behind_one_address_meets_no_limit():
    for letter in "abcdefgh":
        who = Person(guest=letter * 64, household="here")
        begun = [verbs.start(who, new_key()) for _ in range(3)]
        begun += [verbs.copy(begun[0].character_id, who, new_key()) for _ in range(17)]
    assert Beginning.objects.count() == 160


def pages(client, pk):
    """Every way to begin a character, as a browser sends it."""
    key = {"key": new_key()}
    yield client.post("/characters/start/", key)
    yield client.post("/characters/surprise/", key)
    yield client.post(f"/samples/{SAMPLES[0]}/copy/", key)
    yield client.post(f"/characters/{pk}/copy/", key)
    yield client.post("/characters/upload/", {**key, "text": json.dumps(document())})


def test_every_way_to_begin_a_character_is_refused_past_the_limit(few, client):
    add_samples()
    for _ in range(3):
        client.post("/characters/start/", {"key": new_key()})
    pk = Character.objects.filter(sample="").first().pk
    for answer in pages(client, pk):
        assert answer.status_code == 429
        assert "Sign up to keep more" in answer.content.decode()
    assert Character.objects.filter(sample="").count() == 3


def test_the_address_is_kept_as_a_keyed_hash(client, settings):
    client.post("/characters/start/", {"key": new_key()})
    (here,) = Beginning.objects.values_list("household", flat=True)
    settings.SECRET_KEY = "another key, as another site has it"
    session = client.session
    session[SESSION_KEY] = "another"
    client.post("/characters/start/", {"key": new_key()})
    assert Beginning.objects.exclude(household=here).count() == 1
    assert "127.0.0.1" not in here


def test_samples_and_characters_of_accounts_count_for_no_guest(few):
    mira()
    assert len(add_samples()) == len(SAMPLES) == Character.objects.exclude(sample="").count()
    assert made(guest()) == 3
    assert not Beginning.objects.exists()  # this guest came without an address
