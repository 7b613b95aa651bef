"""The introduction is on every sheet until it is read: once per account, on all devices, or once per guest."""

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.test import Client

from characters.introductions import delete_rows_of_gone_guests
from characters.models import Character, Grant, Introduction
from tests.support.characters import owned_by
from tests.support.html import html_of

pytestmark = pytest.mark.django_db
TOLD = 'id="introduction"'


@pytest.fixture
def base(client, ana):
    client.force_login(ana)
    return owned_by(ana).get_absolute_url()


def test_the_introduction_is_shown_until_it_is_read(client, ana, base):
    assert TOLD in html_of(client.get(base))
    assert TOLD in html_of(client.get(base))
    for _ in range(2):
        answer = client.post(f"{base}introduction/")
        assert (answer.status_code, answer.headers["Location"]) == (303, base)
    assert TOLD not in html_of(client.get(base))
    elsewhere = Client()
    elsewhere.force_login(ana)
    assert TOLD not in html_of(elsewhere.get(base))
    assert "How this sheet works" in html_of(client.get(f"{base}introduction/"))
    (row,) = Introduction.objects.all()
    assert (row.user, row.guest) == (ana, "")


def test_the_introduction_is_not_shown_on_a_surprise_that_is_not_kept_yet(client, base):
    assert TOLD not in html_of(client.get(f"{base}?surprise"))
    assert TOLD in html_of(client.get(base))


def test_each_account_gets_the_introduction_for_itself(client, ana, base):
    client.post(f"{base}introduction/")
    bo = User.objects.create_user("bo")
    client.force_login(bo)
    assert TOLD in html_of(client.get(owned_by(bo).get_absolute_url()))


def test_a_spectator_does_not_get_the_introduction(client, ana, base):
    client.force_login(User.objects.create_user("bo"))
    character = Character.objects.get(owner=ana)
    Grant.objects.create(character=character, user=User.objects.get(username="bo"), role="spectator")
    assert TOLD not in html_of(client.get(base))
    assert client.post(f"{base}introduction/").status_code == 404
    assert not Introduction.objects.exists()


def copied(client):
    answer = client.post("/samples/borrin-ashlar/copy/", {"key": "a key of a copy"})
    return f"/characters/{answer.headers['Location'].split('/')[2]}/"


def test_a_guest_who_read_the_introduction_does_not_get_it_again_after_signing_in(client, ana):
    from characters.samples import add_samples

    add_samples()
    base = copied(client)
    assert TOLD in html_of(client.get(base))
    client.post(f"{base}introduction/")
    assert TOLD not in html_of(client.get(base))
    client.post("/accounts/login/", {"login": "ana", "password": "a long password"})
    assert Character.objects.get(pk=base.split("/")[2]).owner == ana
    assert TOLD not in html_of(client.get(base))
    assert Introduction.objects.get().user == ana


def test_the_row_of_a_guest_without_characters_is_deleted(client, ana, base):
    client.post(f"{base}introduction/")
    Introduction.objects.create(guest="f" * 64)
    assert delete_rows_of_gone_guests() == 1
    assert Introduction.objects.get().user == ana


@pytest.mark.parametrize("columns", [{}, {"guest": "f" * 64}])
def test_a_row_has_one_person(ana, columns):
    whose = {"user": ana, **columns} if columns else {}
    with pytest.raises(IntegrityError), transaction.atomic():
        Introduction.objects.create(**whose)


def test_each_person_has_one_row(ana):
    for columns in ({"user": ana}, {"guest": "f" * 64}):
        Introduction.objects.create(**columns)
        with pytest.raises(IntegrityError), transaction.atomic():
            Introduction.objects.create(**columns)


def test_a_sheet_with_the_introduction_takes_nine_queries(client, base, django_assert_num_queries):
    client.get(base)
    with django_assert_num_queries(9):  # one of them for the header
        client.get(base)
