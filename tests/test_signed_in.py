"""Sessions and users are found by SQL made once, a text is opened once, and both as strictly as before."""

from datetime import timedelta

import pytest
from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.utils import timezone

from polyhedral_site.signed_in import SessionStore

pytestmark = pytest.mark.django_db


@pytest.fixture
def ana(client):
    ana = User.objects.create_user("ana", "ana@example.com")
    client.force_login(ana)
    return ana


def who(client, rf):
    request = rf.get("/")
    cookie = client.cookies.get(settings.SESSION_COOKIE_NAME)
    request.session = SessionStore(cookie.value if cookie else None)
    return get_user(request)


def test_a_session_knows_its_user(client, rf, ana):
    assert who(client, rf) == ana


def test_one_that_has_run_out_knows_nobody(client, rf, ana):
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    assert not who(client, rf).is_authenticated


def test_a_made_up_key_is_not_kept(client, rf):
    session = SessionStore("a-key-that-somebody-made-up")
    assert dict(session.items()) == {}
    assert session.session_key is None


@pytest.mark.parametrize("change", [{"is_active": False}, {"password": "another"}])
def test_whoever_may_not_sign_in_any_more_is_not(client, rf, ana, change):
    User.objects.update(**change)
    assert not who(client, rf).is_authenticated


def test_nor_whoever_is_gone(client, rf, ana):
    ana.delete()
    assert not who(client, rf).is_authenticated


def test_two_queries_find_both(client, rf, ana, django_assert_num_queries):
    with django_assert_num_queries(2):
        assert who(client, rf) == ana


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
