"""Sessions and users are found by SQL made once, a session is decoded once, and all checks stay as strict."""

from datetime import timedelta

import pytest
from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import OperationalError, connection
from django.db.models import QuerySet
from django.http import HttpResponse
from django.test import RequestFactory
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format

from polyhedral_site.renewed import renew
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


def test_an_expired_session_knows_nobody(client, rf, ana):
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    assert not who(client, rf).is_authenticated


def test_a_made_up_key_is_not_kept(client, rf):
    session = SessionStore("a-key-that-somebody-made-up")
    assert dict(session.items()) == {}
    assert session.session_key is None


@pytest.mark.parametrize("change", [{"is_active": False}, {"password": "another"}])
def test_an_inactive_user_or_a_changed_password_ends_the_session(client, rf, ana, change):
    User.objects.update(**change)
    assert not who(client, rf).is_authenticated


def test_a_deleted_user_is_not_signed_in(client, rf, ana):
    ana.delete()
    assert not who(client, rf).is_authenticated


def test_two_queries_find_the_session_and_the_user(client, rf, ana, django_assert_num_queries):
    with django_assert_num_queries(2):
        assert who(client, rf) == ana


def stored(**values) -> str:
    session = SessionStore()
    session.update(values)
    session.save()
    return session.session_key


def test_a_change_of_one_requests_session_does_not_leak_into_anothers():
    key = stored(things=["rope"])
    SessionStore(key)["things"].append("lamp")
    assert SessionStore(key)["things"] == ["rope"]


def test_a_saved_session_is_read_by_the_next_request():
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


def ends():
    return Session.objects.get().expire_date


def aged(days):
    Session.objects.update(expire_date=timezone.now() + timedelta(seconds=settings.SESSION_COOKIE_AGE, days=-days))
    return ends()


@pytest.fixture
def guest(client):
    client.post(reverse("characters:start"), {"key": "a-guest-begins"})
    return client


def test_a_visit_extends_a_guests_session(guest, settings):
    settings.SESSION_COOKIE_SECURE = True
    before = aged(89)
    cookie = guest.get("/characters/").cookies[settings.SESSION_COOKIE_NAME]
    assert ends() - before > timedelta(days=88)
    assert cookie["max-age"] == settings.SESSION_COOKIE_AGE
    assert (cookie["httponly"], cookie["secure"], cookie["samesite"]) == (True, True, "Lax")


def test_a_visit_extends_the_session_of_an_account(client, ana):
    before = aged(30)
    client.get("/")
    assert ends() - before > timedelta(days=29)


def test_a_second_visit_of_the_day_writes_nothing(guest):
    aged(3)
    guest.get("/characters/")
    before = ends()
    assert settings.SESSION_COOKIE_NAME not in guest.get("/characters/").cookies
    assert ends() == before


def test_a_busy_database_extends_a_session_at_the_next_visit(guest, monkeypatch):
    def busy(*_, **__):
        raise OperationalError("database is locked")

    before = aged(10)
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(QuerySet, "update", busy)
        assert guest.get("/characters/").status_code == 200
    assert ends() == before
    guest.get("/characters/")
    assert ends() > before


WAITS = {"sqlite": ("PRAGMA busy_timeout", 100, 20_000), "postgresql": ("SHOW lock_timeout", "2s", "2s")}


def test_a_visit_hardly_waits_for_others_who_write(guest, monkeypatch):
    """Two visitors who waited 20 seconds to extend their sessions on SQLite held up all pages."""
    ask, briefly, otherwise = WAITS[connection.vendor]

    def waits():
        with connection.cursor() as cursor:
            cursor.execute(ask)
            return cursor.fetchone()[0]

    def noting(rows, **columns):
        waited.append(waits())
        return update(rows, **columns)

    before, waited, update = aged(10), [], QuerySet.update
    monkeypatch.setattr(QuerySet, "update", noting)
    guest.get("/characters/")
    assert waited == [briefly]
    assert waits() == otherwise
    assert ends() > before


def test_an_expired_or_ended_session_does_not_come_back(guest):
    Session.objects.update(expire_date=timezone.now() - timedelta(days=1))
    before = ends()
    guest.get("/characters/")
    assert ends() == before
    Session.objects.all().delete()
    guest.get("/characters/")
    assert not Session.objects.exists()


def test_extending_a_session_does_not_undo_a_sign_in_in_another_tab(guest):
    aged(10)
    visits_while(guest, session_data="signed in by another tab")
    assert Session.objects.get().session_data == "signed in by another tab"


def test_an_end_that_another_request_has_moved_stays(guest):
    aged(10)
    moved = timezone.now() + timedelta(days=1)
    assert settings.SESSION_COOKIE_NAME not in visits_while(guest, expire_date=moved).cookies
    assert ends() == moved


def visits_while(guest, **changed):
    """The answer to a visit, during which another request changes the session."""

    def answer(request):
        Session.objects.update(**changed)
        return HttpResponse()

    request = RequestFactory().get("/")
    request.session = SessionStore(guest.cookies[settings.SESSION_COOKIE_NAME].value)
    request.session.get("guest")
    return renew(answer)(request)


def test_the_list_of_characters_says_when_a_guests_session_ends(guest):
    guest.get("/characters/")
    text = guest.get("/characters/").content.decode()
    assert date_format(timezone.localtime(ends()), "j F Y") in text


def test_an_impossible_session_key_is_ignored(db, client):
    """A cookie in quotes may hold bytes that PostgreSQL accepts in no text."""
    for key in ("aaaaaaaa\\000aaaa", "aaaaaaaa\\377\\303", "a" * 5_000):
        assert client.get("/characters/", headers={"Cookie": f'sessionid="{key}"'}).status_code == 200
