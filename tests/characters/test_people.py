"""The owner of a character: a guest with a token, an account, and a guest who becomes an account."""

import json

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore
from django.test import RequestFactory

from characters import verbs
from characters.access import owned_by, playable_by, visible_to
from characters.models import Character, Looked
from characters.people import SESSION_KEY, Person, claim_drafts, visitor_of
from characters.verbs import import_file
from tests.characters.cast import document, guest, new_key, person

pytestmark = pytest.mark.django_db

PASSWORD = "a long enough password"


def request_of(user=None, session=None):
    request = RequestFactory().get("/")
    request.user = user or type("Nobody", (), {"is_authenticated": False})()
    request.session = session if session is not None else SessionStore()
    return request


def test_a_visitor_gets_a_token_only_when_remembered():
    request = request_of()
    assert visitor_of(request) == Person()
    assert SESSION_KEY not in request.session
    remembered = visitor_of(request, remember=True)
    assert len(remembered.guest) == 64
    assert request.session[SESSION_KEY] not in remembered.guest
    assert visitor_of(request) == remembered


def test_visitors_whose_request_tells_nothing_get_different_tokens():
    assert visitor_of(request_of(), remember=True) != visitor_of(request_of(), remember=True)


def test_one_form_of_two_browsers_makes_two_guests():
    """The key of a form alone makes nobody its guest, and a browser without a cookie is a new guest each time."""

    def visitor(browser):
        request = request_of()
        request.POST = {"key": "the-key-of-a-form"}
        request.META["CSRF_COOKIE"] = browser
        return visitor_of(request, remember=True)

    assert visitor("one") == visitor("one")
    assert visitor("one") != visitor("another")
    assert visitor("") != visitor("")


def test_somebody_signed_in_needs_no_token():
    request = request_of(person().user)
    assert visitor_of(request, remember=True) == Person(person().user)
    assert SESSION_KEY not in request.session


def test_a_visitor_without_the_token_does_not_find_a_guests_character():
    verbs.start(guest(), new_key())
    assert not Character.objects.filter(visible_to(Person())).exists()
    assert not Character.objects.filter(playable_by(Person(guest="b" * 64))).exists()


def draft_of(client):
    session = client.session
    session[SESSION_KEY] = "a token of this browser"
    session.save()
    request = request_of(session=session)
    return verbs.start(visitor_of(request), new_key()).character


def test_signing_up_keeps_the_draft(client):
    draft = draft_of(client)
    client.post("/accounts/signup/", {"username": "ana", "email": "ana@example.com", "password1": PASSWORD})
    draft.refresh_from_db()
    assert (draft.owner, draft.guest) == (User.objects.get(username="ana"), "")
    assert SESSION_KEY not in client.session


def test_signing_in_keeps_a_draft_in_the_bin_too(client):
    ana = User.objects.create_user("ana", "ana@example.com", PASSWORD)
    draft = draft_of(client)
    verbs.throw_away(draft.pk, Person(guest=draft.guest), new_key())
    client.post("/accounts/login/", {"login": "ana", "password": PASSWORD})
    draft.refresh_from_db()
    assert (draft.owner, draft.guest) == (ana, "")
    assert draft in Character.objects.filter(owned_by(Person(ana))).exclude(binned_at=None)


def test_a_claimed_draft_is_not_claimed_again():
    session = SessionStore()
    request = request_of(session=session)
    draft = verbs.start(visitor_of(request, remember=True), new_key()).character
    token = session[SESSION_KEY]
    assert claim_drafts(request, person().user) == 1
    session[SESSION_KEY] = token
    assert claim_drafts(request, person("bo").user) == 0
    draft.refresh_from_db()
    assert draft.owner == person().user


def test_a_guest_signs_in_to_an_account_that_has_seen_the_same_character():
    request = request_of()
    visitor, ana = visitor_of(request, remember=True), person().user
    draft = verbs.start(visitor, new_key()).character
    for whose in ({"guest": visitor.guest}, {"user": ana}):
        Looked.objects.create(character=draft, number=1, **whose)
    assert claim_drafts(request, ana) == 1
    assert Looked.objects.filter(user=ana).count() == 1


def test_whoever_signs_in_without_a_draft_gets_nobodys_character():
    verbs.start(guest(), new_key())
    import_file(Person(), "sample-mira", text=json.dumps(document()), sample="mira")
    assert claim_drafts(request_of(), person().user) == 0


def test_a_token_that_is_no_text_is_ignored():
    session = SessionStore()
    session[SESSION_KEY] = {"a": 1}
    assert visitor_of(request_of(session=session)) == Person()
