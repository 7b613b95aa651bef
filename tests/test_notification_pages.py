"""Choosing which notifications come by email, and the link in each that ends them."""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from campaigns.notification_kinds import KINDS
from polyhedral_site.models import MailChoice
from polyhedral_site.notification_mail import SIGNER, choose
from tests.support.html import html_of

pytestmark = pytest.mark.django_db
PAGE = "/accounts/notifications/"


@pytest.fixture
def ana(client):
    made = User.objects.create_user("ana", "ana@example.com", "a long password")
    made.emailaddress_set.create(email="ana@example.com", verified=True, primary=True)
    client.force_login(made)
    return made


def sent(client, **changed):
    fields = {f"mail-{kind}": "never" for kind in KINDS} | {f"mail-{kind}": when for kind, when in changed.items()}
    return client.post(PAGE, {key: value for key, value in fields.items() if value is not None})


def chosen(user):
    return dict(MailChoice.objects.filter(user=user).values_list("kind", "when"))


def test_no_emails_are_chosen_at_first(client, ana):
    page = html_of(client.get(PAGE))
    assert page.count('<option value="never" selected>') == len(KINDS)
    assert "ana@example.com" in page
    assert not chosen(ana)


def test_the_list_of_notifications_and_the_choice_of_emails_have_two_names(client, ana):
    links = re.findall(r'<a href="([^"]*)"[^>]*>\s*(Notifications.*?)</a>', client.get(PAGE).content.decode())
    named = {(url, re.sub(r"<[^>]*>", "", name)) for url, name in links}
    assert named == {("/notifications/", "Notifications"), (PAGE, "Notifications by email")}


def test_each_kind_of_notification_is_chosen_separately(client, ana):
    answer = sent(client, rolls="soon", dates="daily")
    assert (answer.status_code, answer.headers["Location"]) == (303, PAGE)
    assert chosen(ana) == {"rolls": "soon", "dates": "daily"}
    page = html_of(client.get(PAGE))
    assert page.count('<option value="soon" selected>') == page.count('<option value="daily" selected>') == 1
    sent(client, rolls="daily")
    assert chosen(ana) == {"rolls": "daily"}
    sent(client)
    assert not chosen(ana)


def test_saving_the_same_choice_again_changes_nothing(client, ana):
    sent(client, rolls="soon")
    before = MailChoice.objects.values_list("pk", "since", "told").get()
    sent(client, rolls="soon")
    assert MailChoice.objects.values_list("pk", "since", "told").get() == before


@pytest.mark.parametrize("wrong", ["", "hourly", "x" * 3000, "\x00", None])
def test_a_wrong_choice_is_refused_by_its_field(client, ana, wrong):
    answer = sent(client, rolls=wrong, dates="soon")
    assert answer.status_code == 422
    page = html_of(answer)
    assert "id_mail-rolls_error" in page
    assert "Choose one of these three." in page
    assert not chosen(ana)


@pytest.mark.parametrize("address", [{"verified": False}, {"primary": False}, None])
def test_emails_need_a_confirmed_address(client, ana, address):
    ana.emailaddress_set.update(**address) if address else ana.emailaddress_set.all().delete()
    page = html_of(client.get(PAGE))
    assert "Confirm it first" in page
    assert "<select" not in page
    answer = sent(client, rolls="soon")
    assert answer.status_code == 422
    assert "Confirm it first" in html_of(answer)
    assert not chosen(ana)


def test_a_visitor_signs_in_first(client):
    assert client.get(PAGE).headers["Location"] == f"/accounts/login/?next={PAGE}"
    assert client.post(PAGE).status_code == 302
    assert client.put(PAGE).status_code in (302, 405)


def test_the_page_of_notifications_links_to_the_choices_for_an_account(client, ana):
    assert PAGE in html_of(client.get("/notifications/"))
    assert PAGE not in html_of(Client().get("/notifications/"))


def test_the_page_asks_few_queries(client, ana, django_assert_max_num_queries):
    choose(ana, dict.fromkeys(KINDS, "soon"))
    client.get(PAGE)
    with django_assert_max_num_queries(5):  # the session, the account, its address, its choices, the header
        client.get(PAGE)


@pytest.fixture
def link(ana):
    choose(ana, dict.fromkeys(KINDS, "soon"))
    bo = User.objects.create_user("bo", "bo@example.com", "a long password")
    choose(bo, {"rolls": "daily"})
    return f"/unsubscribe/{SIGNER.sign(ana.pk)}/"


@pytest.fixture
def stranger():
    """A browser that is not signed in, and that checks the tokens of forms."""
    return Client(enforce_csrf_checks=True)


def test_the_link_asks_first_and_a_press_ends_all_emails(link, stranger, ana):
    for method in (stranger.get, stranger.head):
        answer = method(link)
        assert answer.status_code == 200
        assert len(chosen(ana)) == len(KINDS)
    page = html_of(stranger.get(link))
    assert page.count("<form") == 1
    for _ in range(2):
        answer = stranger.post(link)
        assert answer.status_code == 200
        assert "You will get no more of these emails" in html_of(answer)
        assert not chosen(ana)
    assert MailChoice.objects.get().user.username == "bo"


def test_a_mail_program_ends_all_emails_with_one_click(link, stranger, ana):
    answer = stranger.post(link, "List-Unsubscribe=One-Click", content_type="application/x-www-form-urlencoded")
    assert answer.status_code == 200
    assert not answer.cookies
    assert "no-store" in answer.headers["Cache-Control"]
    assert not chosen(ana)


@pytest.mark.parametrize("method", ["put", "delete", "patch"])
def test_no_other_method_ends_the_emails(link, stranger, ana, method):
    assert getattr(stranger, method)(link).status_code == 405
    assert chosen(ana)


@pytest.mark.parametrize("wrong", ["1", "x", "1:x", ":", "{other}", "{cut}", "{salted}", "%00", "1" * 3000, "²:x"])
def test_a_broken_or_forged_link_ends_nothing(link, stranger, ana, wrong):
    token = SIGNER.sign(ana.pk)
    other = token.replace(f"{ana.pk}:", f"{ana.pk + 1}:")
    salted = type(SIGNER)(salt="something else").sign(ana.pk)
    address = f"/unsubscribe/{wrong.format(other=other, cut=token[:-1], salted=salted)}/"
    for answer in (stranger.get(address), stranger.post(address)):
        assert answer.status_code == 404
        assert "This link does not work" in html_of(answer)
    assert len(chosen(ana)) == len(KINDS)


def test_the_link_of_a_deleted_account_gets_the_same_answer(link, stranger, ana):
    ana.delete()
    assert stranger.post(link).status_code == 200
    assert MailChoice.objects.count() == 1
