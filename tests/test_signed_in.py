"""Sessions as this site reads them: a text is opened once, and every request has what is in it for itself."""

import pytest
from django.contrib.sessions.models import Session

from polyhedral_site.signed_in import SessionStore

pytestmark = pytest.mark.django_db


def stored(**values) -> str:
    session = SessionStore()
    session.update(values)
    session.save()
    return session.session_key


def test_what_one_request_puts_in_its_session_is_not_in_anothers():
    key = stored(things=["rope"])
    SessionStore(key)["things"].append("lamp")
    assert SessionStore(key)["things"] == ["rope"]


def test_what_is_saved_is_read_by_the_next_request():
    key = stored(things=["rope"])
    session = SessionStore(key)
    session["things"] = ["lamp"]
    session.save()
    assert SessionStore(key)["things"] == ["lamp"]


def test_a_session_that_this_site_has_not_signed_is_empty():
    key = stored(things=["rope"])
    assert SessionStore(key).get("things") == ["rope"]
    row = Session.objects.get(pk=key)
    Session.objects.filter(pk=key).update(session_data=row.session_data[:-3] + "abc")
    assert SessionStore(key).get("things") is None
