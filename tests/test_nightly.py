"""The nightly command does all of its chores; what each of them deletes is tested beside it."""

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone

from characters.models import Beginning, Introduction, Looked
from tests.characters.cast import mira

pytestmark = pytest.mark.django_db


def test_each_night_forgets_guests_who_have_no_character_and_beginnings_that_no_longer_count():
    Beginning.objects.create(household="here")
    Beginning.objects.update(at=timezone.now() - timedelta(days=2))
    Introduction.objects.create(guest="f" * 64)
    Looked.objects.create(character=mira(), guest="f" * 64, number=1)
    call_command("nightly")
    for rows in (Beginning.objects, Introduction.objects, Looked.objects):
        assert not rows.exists()
