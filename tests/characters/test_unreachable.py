"""Characters that no session can reach: the nightly command puts them, and no others, into the bin."""

from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.utils import timezone

from characters import verbs
from characters.change.unreachable import Unreadable, unreachable
from characters.models import Character
from characters.people import SESSION_KEY, Person, hashed
from tests.characters.cast import mira, new_key, person
from tests.support.clock import later

pytestmark = pytest.mark.django_db
LATER = timedelta(days=2)


@pytest.fixture
def draft(client):
    """A guest's character, made in a browser two days ago."""
    client.post("/characters/start/", {"key": new_key()})
    return aged(Character.objects.get())


def aged(character, by=LATER):
    Character.objects.filter(pk=character.pk).update(created_at=timezone.now() - by)
    return character


def in_bin(character):
    return Character.objects.filter(pk=character.pk).exclude(binned_at=None).exists()


def test_a_character_that_a_session_reaches_stays(draft):
    assert verbs.bin_unreachable() == 0
    assert not in_bin(draft)


@pytest.mark.parametrize("end", ["the session is gone", "the session has run out", "somebody else's session"])
def test_a_character_that_no_session_reaches_is_put_into_the_bin(draft, end, client):
    if end == "the session is gone":
        Session.objects.all().delete()
    elif end == "the session has run out":
        Session.objects.update(expire_date=timezone.now() - timedelta(minutes=1))
    else:
        session = client.session
        session[SESSION_KEY] = "another token"
        session.save()
    assert verbs.bin_unreachable() == 1
    assert in_bin(draft)
    assert draft.changes.first().sentence.endswith("the browser that kept it has not come back.")


def test_an_unreachable_character_is_deleted_after_thirty_days_in_the_bin(draft):
    Session.objects.all().delete()
    verbs.bin_unreachable()
    with later(days=29):
        assert verbs.empty_bin() == 0
    with later(days=31):
        assert verbs.empty_bin() == 1


def test_a_character_made_today_is_left_alone():
    aged(mira(Person(guest=hashed("nobody"))), timedelta(hours=23))
    assert verbs.bin_unreachable() == 0


def test_characters_of_accounts_and_samples_are_never_unreachable():
    aged(mira())
    call_command("add_samples")
    Character.objects.update(created_at=timezone.now() - LATER)
    assert unreachable() == []


def test_nothing_is_put_into_the_bin_if_a_session_cannot_be_read(draft, settings, caplog):
    """As when the secret key was lost, because the old one may come back."""
    settings.SECRET_KEY = "another key that is long enough to be taken for one"
    with pytest.raises(Unreadable):
        verbs.bin_unreachable()
    with caplog.at_level("INFO"):
        call_command("nightly")
    assert "No character was put into the bin: a session cannot be read" in caplog.text
    assert not in_bin(draft)


def test_a_guest_who_signed_up_meanwhile_keeps_the_character(draft, monkeypatch):
    guest, ana = draft.guest, person().user
    Session.objects.all().delete()
    found = unreachable()
    Character.objects.update(owner=ana, guest="")
    monkeypatch.setattr("characters.verbs.bin.unreachable", lambda: found)
    assert found == [(draft.pk, guest)]
    assert verbs.bin_unreachable() == 0
    assert not in_bin(draft)


def test_the_nightly_command_logs_the_number_put_into_the_bin(draft, caplog):
    Session.objects.all().delete()
    with caplog.at_level("INFO"):
        call_command("nightly")
    assert "1 unreachable character put into the bin." in caplog.text
