"""A form that could not be taken is shown again with all of it: signed out, too old, gone, or a site that fails."""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from characters.models import Note
from tests.support.characters import owned_by

KEY = "a key of this form"
TEXT = 'Two\nlines & a "quote"'
SHOWN = "Two\nlines &amp; a &quot;quote&quot;</textarea>"
HERE = {"Origin": "http://testserver"}


@pytest.fixture
def ana(db):
    return User.objects.create_user("ana", "ana@example.com")


@pytest.fixture
def url(ana):
    return f"/characters/{owned_by(ana).pk}/play/add-note/"


def strict(user=None):
    """A browser with a session of its own, which checks the tokens of forms."""
    client = Client(enforce_csrf_checks=True)
    if user:
        client.force_login(user)
    return client


def test_to_nobody_it_says_to_sign_in_whatever_is_there(client, url):
    for where in (url, "/characters/999999/play/add-note/"):
        response = client.post(where, {"key": KEY, "text": TEXT, "do": "x"}, headers={"Referer": f"http://x{url}"})
        html = response.content.decode()
        assert response.status_code == 401
        assert SHOWN in html
        assert f'<input type="hidden" name="key" value="{KEY}">' in html
        assert '<input type="hidden" name="do" value="x">' in html
        assert f'action="{where}"' in html
        assert f"/accounts/login/?next={url}" in html


@pytest.mark.parametrize("referer", ["http://[::1", "http://x//evil.example/a", ""])
def test_what_a_browser_says_it_comes_from_leads_nowhere_else(client, url, referer):
    html = client.post(url, {"key": KEY, "text": TEXT}, headers={"Referer": referer}).content.decode()
    assert SHOWN in html
    assert '"//evil' not in html
    assert "next=//evil" not in html


def test_with_script_the_page_keeps_it_and_gets_the_status_alone(client, url):
    response = client.post(url, {"key": KEY, "text": TEXT}, headers={"HX-Request": "true"})
    assert (response.status_code, response.content) == (401, b"")


def test_a_stranger_and_the_owner_of_what_is_gone_have_it_back(client, url):
    client.force_login(User.objects.create_user("bo"))
    response = client.post(url, {"key": KEY, "text": TEXT})
    assert response.status_code == 404
    assert SHOWN in response.content.decode()
    assert "sign in" not in response.content.decode().lower()


def test_a_form_from_before_a_sign_in_is_sent_once_more(ana, url):
    client = strict(ana)
    response = client.post(url, {"key": KEY, "text": TEXT, "csrfmiddlewaretoken": "a" * 64}, headers=HERE)
    html = response.content.decode()
    assert response.status_code == 403
    assert SHOWN in html
    token = re.search(r'class="form".*?name="csrfmiddlewaretoken" value="(\w+)"', html, re.S)[1]
    for _ in range(2):
        sent = {"key": KEY, "text": TEXT, "csrfmiddlewaretoken": token}
        assert client.post(url, sent, headers=HERE).status_code == 303
    assert Note.objects.count() == 1


@pytest.mark.parametrize("origin", [None, "https://elsewhere.example", "null"])
def test_what_another_site_sends_is_not_offered_for_sending(ana, url, origin):
    response = strict(ana).post(url, {"key": KEY, "text": TEXT}, headers={"Origin": origin} if origin else {})
    assert response.status_code == 403
    assert "Two" not in response.content.decode()


def test_a_site_that_fails_gives_it_back(ana, url, monkeypatch):
    monkeypatch.setattr("characters.pages.sheet.live_answer.run", lambda *args: 1 / 0)
    client = Client(raise_request_exception=False)
    client.force_login(ana)
    response = client.post(url, {"key": KEY, "text": TEXT})
    assert response.status_code == 500
    assert SHOWN in response.content.decode()
    assert "csrfmiddlewaretoken" in response.content.decode()


def test_a_failing_page_that_was_only_asked_for_has_no_form(ana, url, monkeypatch):
    monkeypatch.setattr("characters.pages.sheet.live.LiveCharacter.playable", lambda *args: 1 / 0)
    client = Client(raise_request_exception=False)
    client.force_login(ana)
    response = client.get(url.replace("play/add-note/", "rest/"))
    assert response.status_code == 500
    assert "<form" not in response.content.decode()


@pytest.mark.parametrize("field", ["text", "whom", "summary", "does", "rank.mind", "w:culture.language"])
def test_what_people_typed_is_shown_and_what_they_picked_is_carried(client, url, field):
    """A field of an action at the table is shown, and one of a page beside it."""
    html = client.post(url, {"key": KEY, field: "Ox", "condition": "condition:prone"}).content.decode()
    assert re.search(rf'<input id="typed-1" name="{field}" value="Ox">', html)
    assert '<input type="hidden" name="condition" value="condition:prone">' in html
