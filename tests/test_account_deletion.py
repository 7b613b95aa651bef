"""Deleting an account asks for password and name, and deletes its own characters and seats and nobody else's."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from campaigns.models import Member
from campaigns.verbs import campaigns
from characters.models import Character
from characters.people import Person
from rules import homebrew
from rules.models import Homebrew, Ruleset, Source
from tests.characters.cast import new_key
from tests.support.characters import owned_by

pytestmark = pytest.mark.django_db
PAGE, PASSWORD = "/accounts/delete/", "nine ferries at dusk"


@pytest.fixture
def ana(django_user_model):
    ana = django_user_model.objects.create_user("ana", "ana@example.com", PASSWORD)
    ana.emailaddress_set.create(email=ana.email, primary=True, verified=True)
    return ana


@pytest.fixture
def signed_in(client, ana):
    client.force_login(ana)
    asked = client.get(PAGE)
    assert client.post(asked.url, {"password": PASSWORD}).url == PAGE
    return client


def send(client, username):
    return client.post(PAGE, {"username": username, "key": new_key()})


def test_deleting_an_account_deletes_its_characters_and_emails_its_owner(signed_in, ana, mailoutbox):
    owned_by(ana)
    campaign = campaigns.create(Person(ana), new_key(), name="Saltmarsh")
    others = owned_by(User.objects.create_user("bo"))
    page = signed_in.get(PAGE).content.decode()
    assert "Your 1 character and all" in page
    assert "You lead 1 table." in page
    answer = send(signed_in, "ana")
    assert (answer.status_code, answer.url) == (303, "/")
    assert not User.objects.filter(username="ana").exists()
    assert set(Character.objects.filter(sample="")) == {others}
    assert not Member.objects.filter(campaign=campaign).exists()
    assert "Your account and its characters were deleted" in signed_in.get("/").content.decode()
    assert signed_in.get(reverse("account_email")).status_code == 302
    assert [mail.subject for mail in mailoutbox] == ["Polyhedral: Your account was deleted"]


def test_homebrew_of_a_deleted_account_stays_private(signed_in, ana):
    """Its row of Homebrew stays for its players (decision 069); without an author it must not become public."""
    source = homebrew.begun(Ruleset.objects.get(slug="polyhedral"), "Of the river", ana)
    assert "Your homebrew stays for those who play with it" in signed_in.get(PAGE).content.decode()
    send(signed_in, "ana")
    assert source not in Source.objects.open_to()
    assert Homebrew.objects.get(source=source).owner is None


@pytest.mark.parametrize("typed", ["", "Ana", "bo", "a" * 10_000, "<b>"])
def test_without_the_right_name_nothing_is_deleted(signed_in, ana, typed):
    answer = send(signed_in, typed)
    assert answer.status_code == 422
    assert answer.context["form"].errors["username"] == ["Type your username as it is written above."]
    assert User.objects.filter(username="ana").exists()


def test_deleting_an_account_asks_for_the_password_again(client, ana):
    client.post(reverse("account_login"), {"login": "ana", "password": PASSWORD})
    answer = send(client, "ana")
    assert answer.url.startswith(reverse("account_reauthenticate"))
    assert User.objects.filter(username="ana").exists()


def test_a_stranger_is_asked_to_sign_in():
    assert send(Client(), "ana").url.startswith(reverse("account_login"))
