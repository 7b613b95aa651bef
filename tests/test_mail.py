"""Mail waits in the database and is sent after the answer, even if the mail server fails."""

import logging
import re
import threading
from datetime import timedelta
from smtplib import SMTPDataError, SMTPRecipientsRefused

import pytest
from django.contrib.auth.models import User
from django.core.mail import EmailMessage, EmailMultiAlternatives, send_mail
from django.db import DataError, IntegrityError, OperationalError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from polyhedral_site import mail
from polyhedral_site.models import QueuedMail
from tests.support.at_once import at_once
from tests.support.html import html_of
from tests.support.mail_server import mail_server
from tests.support.site import kept_port

pytestmark = [pytest.mark.django_db, pytest.mark.full]

ADDRESS, PASSWORD = "ana@example.com", "a long enough password"
SIGN_UP = {"username": "ana", "email": ADDRESS, "password1": PASSWORD}


@pytest.fixture(autouse=True)
def through(settings):
    """Send through the mail server on this port: `through(port)`. Before that call no server listens."""

    def through(port):
        smtp = {"host": "127.0.0.1", "port": port, "timeout": 5}
        server = {"BACKEND": "django.core.mail.backends.smtp.EmailBackend", "OPTIONS": smtp}
        settings.MAILERS = {"default": {"BACKEND": "polyhedral_site.mail.Queue"}, "server": server}

    with kept_port() as port:
        through(port)
        yield through


def queue(*recipients):
    send_mail("Hello", "Some words.", "site@example.com", recipients or [ADDRESS])


def make_due():
    QueuedMail.objects.update(due=timezone.now())


def minutes_to_wait():
    return round((QueuedMail.objects.get().due - timezone.now()).total_seconds() / 60)


def test_a_mail_waits_for_each_recipient_and_is_gone_once_sent(through):
    queue(ADDRESS, "bo@example.com")
    assert QueuedMail.objects.count() == 2
    with mail_server() as server:
        through(server.port)
        mail.send_due()
    assert [sent["To"] for sent in server.mails] == [ADDRESS, "bo@example.com"]
    assert server.mails[0].get_content().strip() == "Some words."
    assert not QueuedMail.objects.exists()


def test_signing_up_with_the_mail_server_down_makes_the_account(client):
    assert client.post("/accounts/signup/", SIGN_UP).status_code == 302
    mail.send_due()
    assert User.objects.filter(username="ana").exists()
    assert client.session["_auth_user_id"]
    assert QueuedMail.objects.get().tries == 1


def test_a_mail_is_tried_again_after_growing_waits_and_then_given_up(caplog):
    queue()
    waits = []
    for _ in range(6):
        mail.send_due()
        mail.send_due()  # too early: does nothing
        waits.append(minutes_to_wait())
        make_due()
    assert waits == [1, 5, 15, 60, 180, 360]
    mail.send_due()
    assert not QueuedMail.objects.exists()
    assert "An email to example.com was given up after 7 tries: ConnectionRefusedError." in caplog.messages


def test_a_mail_is_tried_again_at_a_busy_server(through):
    queue()
    with mail_server(refusals=["451"]) as server:
        through(server.port)
        mail.send_due()
        assert (len(server.mails), minutes_to_wait()) == (0, 1)
        make_due()
        mail.send_due()
    assert len(server.mails) == 1
    assert not QueuedMail.objects.exists()


def test_a_mail_that_is_always_refused_is_given_up(through, caplog):
    queue()
    with mail_server(refusals=["550"] * 100) as server:
        through(server.port)
        for _ in range(9):
            mail.send_due()
            make_due()
    assert server.calls == 7
    assert not QueuedMail.objects.exists()
    assert caplog.records[-1].levelno == logging.ERROR


def test_the_log_names_the_domain_and_never_the_address(through, caplog):
    queue()
    with mail_server(refusals=["550"] * 7) as server:
        through(server.port)
        for _ in range(7):
            mail.send_due()
            make_due()
    assert "example.com" in caplog.text
    assert "ana" not in caplog.text


REPLY = (552, b"The box of ana is full.")


@pytest.mark.parametrize("error", [SMTPDataError(*REPLY), SMTPRecipientsRefused({ADDRESS: REPLY})])
def test_the_log_has_the_code_of_a_servers_reply_and_not_its_words(caplog, error):
    queue()
    mail.try_later(QueuedMail.objects.get(), error)
    name = type(error).__name__
    assert caplog.messages == [f"An email to example.com could not be sent: {name} 552. Next try in 1 min."]


def test_one_mail_that_fails_does_not_hold_up_the_next(through):
    queue("no address", "bo@example.com")
    with mail_server() as server:
        through(server.port)
        mail.send_due()
    assert [sent["To"] for sent in server.mails] == ["bo@example.com"]
    assert QueuedMail.objects.get().recipient == "no address"


def test_a_sender_that_is_ending_begins_no_other_mail():
    queue()
    ended = threading.Event()
    ended.set()
    mail.send_due(ended)
    assert QueuedMail.objects.get().tries == 0


def test_only_one_of_two_senders_can_claim_a_mail():
    queue()
    one, other = QueuedMail.objects.get(), QueuedMail.objects.get()
    assert [mail.claim(one), mail.claim(other)] == [True, False]


def test_the_claim_of_a_dead_process_ends_by_itself(through):
    queue()
    mail.claim(QueuedMail.objects.get())
    assert minutes_to_wait() == 15
    QueuedMail.objects.update(due=timezone.now() - timedelta(seconds=1))
    with mail_server() as server:
        through(server.port)
        mail.send_due()
    assert len(server.mails) == 1


def sent_by_two(through, mails=12):
    for number in range(mails):
        queue(f"{number}@example.com")
    with mail_server() as server:
        through(server.port)
        at_once(mail.send_due, mail.send_due)
        return [sent["To"] for sent in server.mails]


@pytest.mark.django_db(transaction=True)
def test_two_senders_send_each_mail_once(through):
    sent = sent_by_two(through)
    assert len(sent) == len(set(sent)) == 12
    assert not QueuedMail.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_without_the_claim_two_senders_would_send_some_twice(through, monkeypatch):
    both_have_it = threading.Barrier(2)
    monkeypatch.setattr(mail, "claim", lambda row: both_have_it.wait() >= 0)
    assert len(sent_by_two(through, mails=1)) == 2


def test_a_mail_in_a_transaction_that_is_rolled_back_is_never_sent():
    with transaction.atomic():
        queue()
        transaction.set_rollback(True)
    assert not QueuedMail.objects.exists()


def test_the_queue_refuses_a_mail_in_html():
    rich = EmailMultiAlternatives("Hello", "Words", "site@example.com", [ADDRESS])
    rich.attach_alternative("<p>Words</p>", "text/html")
    with pytest.raises(ValueError, match="plain text only"):
        rich.send()


def test_headers_and_a_calendar_arrive_as_they_were_queued(through):
    link = "<https://characters.example.org/unsubscribe/12345:" + "x1Y-" * 30 + "/>"
    headers = {"List-Unsubscribe": link, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}
    text = "BEGIN:VCALENDAR\r\nSUMMARY:Nell’s\r\nEND:VCALENDAR\r\n"
    message = EmailMessage("Hello", "Some words.", "site@example.com", [ADDRESS], headers=headers)
    message.attach("session.ics", text, "text/calendar")
    message.send()
    with mail_server() as server:
        through(server.port)
        mail.send_due()
    (sent,) = server.mails
    assert {name: sent[name] for name in headers} == headers
    assert sent.get_body().get_content().strip() == "Some words."
    (attached,) = sent.iter_attachments()
    assert (attached.get_filename(), attached.get_content_type()) == ("session.ics", "text/calendar")
    assert attached.get_content().splitlines() == text.splitlines()
    assert link.encode() in server.raw[0].replace(
        b"\r\n", b""
    )  # not in an encoding that mail programs would have to undo


def test_the_queue_refuses_an_attachment_that_is_not_text():
    message = EmailMessage("Hello", "Some words.", "site@example.com", [ADDRESS])
    message.attach("face.png", b"\x89PNG", "image/png")
    with pytest.raises(ValueError, match="attachments of text"):
        message.send()


def test_the_sender_also_queues_notifications(monkeypatch):
    written = threading.Event()
    monkeypatch.setattr(mail, "LOOK", 0.01)
    monkeypatch.setattr(mail, "WRITE", 0)
    monkeypatch.setattr(mail, "send_due", lambda ended: None)
    monkeypatch.setattr(mail, "write_due", written.set)
    sender = mail.Sender()
    sender.start()
    assert written.wait(10)
    sender.end()


@pytest.mark.parametrize("wrong", [{"tries": 101}, {"recipient": "a" * 321}, {"body": "a" * 100_001}])
def test_the_database_refuses_a_mail_that_is_too_long_or_tried_too_often(wrong):
    with pytest.raises((IntegrityError, DataError)), transaction.atomic():
        QueuedMail.objects.create(**{"sender": "a", "recipient": "b", "subject": "c", "body": "d", **wrong})


def reset(client, address):
    return client.post("/accounts/password/reset/", {"email": address}, follow=True)


def test_a_mailbox_gets_five_of_a_kind_in_an_hour(client, settings):
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "reset_password": "100/m/ip"}
    User.objects.create_user("ana", ADDRESS, PASSWORD)
    pages = [reset(client, address).content for address in [ADDRESS, ADDRESS.upper()] * 4]
    assert QueuedMail.objects.count() == 5
    assert pages[0] == pages[7]
    reset(client, "bo@example.com")
    assert QueuedMail.objects.count() == 6


def test_reset_links_for_a_stranger_do_not_block_other_mail_to_the_owner(client):
    ana = User.objects.create_user("ana", ADDRESS, PASSWORD)
    for _ in range(5):
        reset(Client(), ADDRESS)
    client.force_login(ana)
    client.post("/accounts/login/", {"login": "ana", "password": PASSWORD})
    new = {"oldpassword": PASSWORD, "password1": "another long one", "password2": "another long one"}
    client.post("/accounts/password/change/", new)
    assert QueuedMail.objects.filter(subject="Polyhedral: Your password was changed").exists()


def answered(path, **fields):
    """The status, address and page that a visitor gets, the number of mails queued, and the number of queries."""
    client = Client()
    with CaptureQueriesContext(connection) as queries:
        answer = client.post(path, fields)
        work = len(queries)
    page = re.sub(r' value="[^"]*"', "", html_of(client.get(answer.url)))
    mails = QueuedMail.objects.count()
    QueuedMail.objects.all().delete()
    for word in sorted(fields.values(), key=len, reverse=True):
        page = page.replace(word, "...")
    return answer.status_code, answer.url, page, mails, work


def test_asking_for_a_link_is_answered_alike_for_known_and_unknown():
    ana = User.objects.create_user("ana", ADDRESS, PASSWORD)
    ana.emailaddress_set.create(email=ADDRESS, verified=True, primary=True)
    *known, work = answered("/accounts/password/reset/", email=ADDRESS)
    *unknown, other_work = answered("/accounts/password/reset/", email="bo@example.com")
    assert known == unknown
    assert (known[0], known[3]) == (302, 1)
    assert abs(work - other_work) <= 1  # the account is looked for in both, and found in one


@pytest.mark.parametrize("verified", [False, True])
def test_signing_up_is_answered_alike_for_known_and_unknown(verified):
    owner = User.objects.create_user("owner", ADDRESS, PASSWORD)
    owner.emailaddress_set.create(email=ADDRESS, verified=verified, primary=True)
    *known, work = answered("/accounts/signup/", username="merlin", email=ADDRESS, password1=PASSWORD)
    *unknown, other_work = answered(
        "/accounts/signup/", username="morgan", email="morgan@example.com", password1=PASSWORD
    )
    assert known == unknown
    assert (known[0], known[3]) == (302, 1)
    assert abs(work - other_work) <= 1  # the account is looked for in both, and found in one


def test_signing_up_with_anothers_address_gives_no_access_to_their_account():
    owner = User.objects.create_user("owner", ADDRESS, PASSWORD)
    owner.emailaddress_set.create(email=ADDRESS, verified=True, primary=True)
    answered("/accounts/signup/", username="bo", email=ADDRESS, password1="quite another one")
    reset(Client(), ADDRESS)
    assert "your username is owner" in QueuedMail.objects.get().body
    login = {"login": ADDRESS, "password": PASSWORD}
    client = Client()
    client.post("/accounts/login/", login)
    assert client.session["_auth_user_id"] == str(owner.pk)


def test_the_pages_say_what_to_do_when_no_mail_comes(client):
    page = html_of(reset(client, ADDRESS))
    assert "Look in your spam folder" in page
    assert "at most five such emails in" in page
    client.post("/accounts/signup/", SIGN_UP)
    page = html_of(client.get("/"))
    assert f"is on its way to {ADDRESS}. Nothing after a few minutes? Look in your spam folder" in page


def test_an_address_without_an_account_is_told_so_by_mail(client):
    reset(client, "bo@example.com")
    assert "No account here has this address" in QueuedMail.objects.get().body


def test_an_address_is_text_on_the_page_and_nothing_else(client):
    client.post("/accounts/signup/", {**SIGN_UP, "email": '"<b>bold</b>"@example.com'})
    page = html_of(client.get("/"))
    assert "&lt;b&gt;bold" in page
    assert "<b>bold" not in page


def test_mails_and_messages_about_accounts_are_in_our_own_words(client):
    User.objects.create_user("ana", ADDRESS, PASSWORD)
    reset(client, ADDRESS)
    letter = QueuedMail.objects.get()
    assert letter.subject == "Polyhedral: Choose a new password"
    assert "In case you forgot it, your username is ana." in letter.body
    assert "/accounts/password/reset/key/" in letter.body
    page = html_of(client.post("/accounts/login/", {"login": "ana", "password": "wrong"}))
    assert "This name and password do not match." in page
    client.post("/accounts/login/", {"login": "ana", "password": PASSWORD})
    assert "You are signed in as ana." in html_of(client.get("/"))


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OperationalError("the disk is away"), "The queue of emails cannot be reached: the disk is away"),
        (ValueError("odd"), "The sender of emails failed."),
    ],
)
def test_the_sender_waits_longer_after_an_error_and_does_not_end(monkeypatch, caplog, error, said):
    errors, pauses = [error], []

    def send_due(ended):
        if errors:
            raise errors.pop()

    monkeypatch.setattr(mail, "send_due", send_due)
    monkeypatch.setattr(mail, "close_old_connections", lambda: None)
    sender = mail.Sender()
    sender.ended.wait = lambda pause: pauses.append(pause) or len(pauses) == 3
    sender.run()
    assert pauses == [mail.LOOK, mail.AFTER_AN_OUTAGE, mail.LOOK]
    assert caplog.messages == [said]
