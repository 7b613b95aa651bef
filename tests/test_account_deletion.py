"""Deleting an account asks for password and name, and deletes its own characters and seats and nobody else's."""

import threading

import pytest
from django.contrib.auth.models import User
from django.db import DatabaseError, connection
from django.db.models.signals import pre_delete
from django.test import Client
from django.urls import reverse

from campaigns.models import Campaign, Member
from campaigns.verbs import campaigns, membership, seats
from characters import verbs
from characters.grants import set_grants
from characters.models import Character, Grant
from characters.people import Person
from polyhedral_site.account_deletion import delete
from rules import homebrew
from rules.models import Homebrew, Ruleset, Source
from tests.campaigns.seated import invite, saltmarsh, sits
from tests.characters.cast import new_key, person
from tests.support.at_once import at_once
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
    verbs.throw_away(owned_by(ana).pk, Person(ana), new_key())
    campaign = campaigns.create(Person(ana), new_key(), name="Saltmarsh")
    others = owned_by(User.objects.create_user("bo"))
    gone = campaigns.create(Person(ana), new_key(), name="Thornwood")
    campaigns.throw_away(gone.pk, Person(ana))
    page = " ".join(signed_in.get(PAGE).content.decode().split())
    assert "Your 2 characters, 1 in the bin included, and all" in page
    assert "You lead 1 campaign." in page
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


def test_a_deletion_that_fails_deletes_nothing_and_signs_nobody_out(signed_in, ana):
    character = owned_by(ana)
    signed_in.raise_request_exception = False

    def fails(**kwargs):
        raise RuntimeError

    pre_delete.connect(fails, sender=User)
    try:
        assert send(signed_in, "ana").status_code == 500
    finally:
        pre_delete.disconnect(fails, sender=User)
    assert signed_in.get(character.get_absolute_url()).status_code == 200
    assert send(signed_in, "ana").url == "/"
    assert not Character.objects.filter(pk=character.pk).exists()


def test_open_pages_of_a_table_are_told_that_an_account_is_gone():
    campaign, elsewhere, bo = saltmarsh(), saltmarsh("cid"), person("bo")
    sits(campaign, bo)
    before = Campaign.objects.get(pk=campaign.pk).version
    delete(bo.user)
    assert Campaign.objects.get(pk=campaign.pk).version == before + 1
    assert Campaign.objects.get(pk=elsewhere.pk).version == elsewhere.version


def test_an_owner_who_sits_down_somewhere_meanwhile_has_that_table_locked_too(ana, monkeypatch):
    campaigns.create(Person(ana), new_key(), name="Saltmarsh")
    found = []

    def too_early_at_first(person):
        found.append(membership.lock_tables(person) if found else [])
        return found[-1]

    monkeypatch.setattr("polyhedral_site.account_deletion.lock_tables", too_early_at_first)
    delete(ana)
    assert found == [[], [Campaign.objects.get().pk]]
    assert not User.objects.filter(username="ana").exists()


def deleted_while_another_joins(monkeypatch):
    """Bo's account is deleted, and meanwhile Cid, who sits down at his table, gets a role with his character. Returns
    what came of either."""
    campaign, bo, cid, granting = saltmarsh(), person("bo"), person("cid"), threading.Event()
    sits(campaign, bo)
    seats.bring(campaign.pk, bo, owned_by(bo.user).pk)
    token = invite(campaign)

    def slow(wanted):
        granting.set()
        threading.Event().wait(0.3)
        set_grants(wanted)

    def act():
        granting.wait(10)
        delete(bo.user)

    monkeypatch.setattr(seats, "set_grants", slow)
    return at_once(lambda: membership.join(token, cid, name="Cid"), act)


@pytest.mark.full
@pytest.mark.django_db(transaction=True)
def test_an_account_is_deleted_while_another_joins_its_table(monkeypatch):
    joined, gone = deleted_while_another_joins(monkeypatch)
    assert (joined.name, gone) == ("Cid", None)
    assert [one.name for one in Campaign.objects.get().members.order_by("pk")] == ["ana", "Cid"]
    assert not Grant.objects.exists()
    assert not User.objects.filter(username="bo").exists()


@pytest.mark.full
@pytest.mark.django_db(transaction=True)
def test_without_the_lock_of_the_table_one_of_both_fails(monkeypatch):
    """The control. SQLite has one writer at a time, so there nobody needs the lock."""
    monkeypatch.setattr("polyhedral_site.account_deletion.lock_tables", lambda person: Campaign.objects.values("pk"))
    ends = deleted_while_another_joins(monkeypatch)
    assert any(isinstance(end, DatabaseError) for end in ends) == (connection.vendor == "postgresql")


def deleted_while_its_owner_acts(act):
    """Bo's account is deleted while he begins a character, or changes one, on another device: he waits when all that
    goes has been found. Returns what came of the deletion."""
    bo, found, acted = person("bo"), threading.Event(), threading.Event()
    character = owned_by(bo.user)

    def wait(**kwargs):
        found.set()
        acted.wait(0.3)

    def meanwhile():
        found.wait(10)
        try:
            act(bo, character.pk)
        finally:
            acted.set()

    pre_delete.connect(wait, sender=User)
    try:
        return at_once(lambda: delete(bo.user), meanwhile)[0]
    finally:
        pre_delete.disconnect(wait, sender=User)


ACTS = {
    "begin": lambda bo, pk: verbs.start(bo, new_key()),
    "rename": lambda bo, pk: verbs.rename(pk, bo, new_key(), name="Miro"),
}


@pytest.mark.full
@pytest.mark.parametrize("act", ACTS.values(), ids=ACTS)
@pytest.mark.django_db(transaction=True)
def test_an_account_is_deleted_while_its_owner_acts(act):
    assert deleted_while_its_owner_acts(act) is None
    assert not User.objects.filter(username="bo").exists()
    assert not Character.objects.filter(sample="").exists()
