"""The nightly command does all of its chores; what each of them deletes is tested beside it."""

from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.utils import timezone

from characters.models import Beginning, Introduction, Looked
from characters.people import Person
from tests.characters.cast import guest, mira

pytestmark = pytest.mark.django_db


def test_each_night_forgets_guests_who_have_no_character_and_beginnings_that_no_longer_count():
    Beginning.objects.create(household="here")
    Beginning.objects.update(at=timezone.now() - timedelta(days=2))
    kept, gone = guest(), Person(guest="f" * 64)
    theirs = mira(kept)
    for one in (kept, gone):
        Introduction.objects.create(guest=one.guest)
        Looked.objects.create(character=theirs, guest=one.guest, number=1)
    call_command("nightly")
    assert not Beginning.objects.exists()
    assert Introduction.objects.get().guest == Looked.objects.get().guest == kept.guest


def test_each_night_deletes_sessions_thirty_days_after_their_end():
    for days in (-31, -29, 1):
        Session.objects.create(session_key=f"ends{days}", expire_date=timezone.now() + timedelta(days=days))
    call_command("nightly")
    assert set(Session.objects.values_list("session_key", flat=True)) == {"ends-29", "ends1"}
