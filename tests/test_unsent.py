"""A form that could not be accepted is shown again in full: signed out, too old, gone, or the site failed."""

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
def url(ana):
    return f"/characters/{owned_by(ana).pk}/play/add-note/"


def strict(user=None):
    """A browser with a session of its own, which checks the tokens of forms."""
    client = Client(enforce_csrf_checks=True)
    if user:
        client.force_login(user)
    return client


def test_a_visitor_gets_the_form_back_and_is_told_to_sign_in_whether_or_not_the_page_exists(client, url):
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
def test_a_forged_referer_leads_to_no_other_site(client, url, referer):
    html = client.post(url, {"key": KEY, "text": TEXT}, headers={"Referer": referer}).content.decode()
    assert SHOWN in html
    assert '"//evil' not in html
    assert "next=//evil" not in html


def test_with_script_a_visitor_gets_only_the_status(client, url):
    response = client.post(url, {"key": KEY, "text": TEXT}, headers={"HX-Request": "true"})
    assert (response.status_code, response.content) == (401, b"")


def test_a_stranger_gets_the_form_back_without_being_told_to_sign_in(client, url):
    client.force_login(User.objects.create_user("bo"))
    response = client.post(url, {"key": KEY, "text": TEXT})
    assert response.status_code == 404
    assert SHOWN in response.content.decode()
    assert "sign in" not in response.content.decode().lower()


def test_a_form_from_before_a_sign_in_can_be_sent_again_and_counts_once(ana, url):
    client = strict(ana)
    response = client.post(url, {"key": KEY, "text": TEXT, "csrfmiddlewaretoken": "a" * 64}, headers=HERE)
    html = response.content.decode()
    assert response.status_code == 403
    assert SHOWN in html
    assert "a" * 64 not in html  # the stale token would count, and the form fail each time
    token = re.search(r'class="form".*?name="csrfmiddlewaretoken" value="(\w+)"', html, re.S)[1]
    for _ in range(2):
        sent = {"key": KEY, "text": TEXT, "csrfmiddlewaretoken": token}
        assert client.post(url, sent, headers=HERE).status_code == 303
    assert Note.objects.count() == 1


def test_with_script_a_form_from_before_a_sign_in_is_left_in_its_page(ana, url):
    response = strict(ana).post(url, {"key": KEY, "text": TEXT}, headers={**HERE, "HX-Request": "true"})
    assert response.status_code == 403
    assert "opened before you signed in or out" in response.content.decode()
    assert SHOWN not in response.content.decode()


@pytest.mark.parametrize("origin", [None, "https://elsewhere.example", "null"])
def test_a_form_from_another_site_is_not_shown_again(ana, url, origin):
    response = strict(ana).post(url, {"key": KEY, "text": TEXT}, headers={"Origin": origin} if origin else {})
    assert response.status_code == 403
    assert "Two" not in response.content.decode()


def test_a_site_that_fails_gives_the_form_back(ana, url, monkeypatch):
    monkeypatch.setattr("characters.pages.sheet.live_answer.run", lambda *args: 1 / 0)
    client = Client(raise_request_exception=False)
    client.force_login(ana)
    response = client.post(url, {"key": KEY, "text": TEXT})
    assert response.status_code == 500
    assert SHOWN in response.content.decode()
    assert "csrfmiddlewaretoken" in response.content.decode()


def test_a_failed_get_shows_no_form(ana, url, monkeypatch):
    monkeypatch.setattr("characters.pages.sheet.live.LiveCharacter.playable", lambda *args: 1 / 0)
    client = Client(raise_request_exception=False)
    client.force_login(ana)
    response = client.get(url.replace("play/add-note/", "rest/"))
    assert response.status_code == 500
    assert "<form" not in response.content.decode()


@pytest.mark.parametrize("field", ["text", "whom", "summary", "does", "rank.mind", "w:culture.language"])
def test_typed_fields_are_shown_and_picked_ones_are_hidden(client, url, field):
    """Fields of actions at the table and of other pages are shown."""
    html = client.post(url, {"key": KEY, field: "Ox", "condition": "condition:prone"}).content.decode()
    assert re.search(rf'<input id="typed-1" name="{field}" value="Ox">', html)
    assert '<input type="hidden" name="condition" value="condition:prone">' in html
