"""The introduction stands on a sheet until it is read: by an account on every device, by a guest while there is one."""

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.test import Client

from characters.introductions import forget_guests
from characters.models import Character, Grant, Introduction
from tests.support.characters import owned_by
from tests.support.html import html_of

pytestmark = pytest.mark.django_db
TOLD = 'id="introduction"'


@pytest.fixture
def ana():
    return User.objects.create_user("ana", "ana@example.com", "a long password")


@pytest.fixture
def base(client, ana):
    client.force_login(ana)
    return owned_by(ana).get_absolute_url()


def test_it_is_told_until_it_is_read(client, ana, base):
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


def test_it_waits_until_a_surprise_is_kept(client, base):
    assert TOLD not in html_of(client.get(f"{base}?surprise"))
    assert TOLD in html_of(client.get(base))


def test_another_is_told_for_themselves(client, ana, base):
    client.post(f"{base}introduction/")
    bo = User.objects.create_user("bo")
    client.force_login(bo)
    assert TOLD in html_of(client.get(owned_by(bo).get_absolute_url()))


def test_who_only_reads_is_not_told(client, ana, base):
    client.force_login(User.objects.create_user("bo"))
    character = Character.objects.get(owner=ana)
    Grant.objects.create(character=character, user=User.objects.get(username="bo"), role="spectator")
    assert TOLD not in html_of(client.get(base))
    assert client.post(f"{base}introduction/").status_code == 404
    assert not Introduction.objects.exists()


def copied(client):
    answer = client.post("/samples/borrin-ashlar/copy/", {"key": "a key of a copy"})
    return f"/characters/{answer.headers['Location'].split('/')[2]}/"


def test_a_guest_takes_it_along_into_an_account(client, ana):
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


def test_of_a_guest_without_characters_nothing_is_kept(client, ana, base):
    client.post(f"{base}introduction/")
    Introduction.objects.create(guest="f" * 64)
    assert forget_guests() == 1
    assert Introduction.objects.get().user == ana


@pytest.mark.parametrize("columns", [{}, {"guest": "f" * 64}])
def test_a_row_is_one_persons(ana, columns):
    whose = {"user": ana, **columns} if columns else {}
    with pytest.raises(IntegrityError), transaction.atomic():
        Introduction.objects.create(**whose)


def test_a_row_is_there_once(ana):
    for columns in ({"user": ana}, {"guest": "f" * 64}):
        Introduction.objects.create(**columns)
        with pytest.raises(IntegrityError), transaction.atomic():
            Introduction.objects.create(**columns)


def test_a_sheet_takes_nine_queries_with_it(client, base, django_assert_num_queries):
    client.get(base)
    with django_assert_num_queries(9):  # one of them for the header
        client.get(base)
