"""Notifications by mail: what still waits, sent to those who chose it, each thing once and without secrets."""

import threading
from contextlib import nullcontext
from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.db import DataError, IntegrityError, OperationalError, connection, transaction
from django.db.models import F
from django.utils import timezone
from icalendar import Calendar

from campaigns.models import Member, Pairing, Purchase, Reveal, SessionDate
from campaigns.notification_kinds import KINDS
from campaigns.verbs import leadership, pairings, party_acts, purchases, session_dates
from campaigns.verbs.campaign_notes import write
from characters import unseen
from characters.actions import proposals
from characters.models import Change, Proposal
from polyhedral_site import notification_mail
from polyhedral_site.models import MailChoice, QueuedMail
from polyhedral_site.notification_mail import choose, write_due
from tests.campaigns.seated import party_of, saltmarsh, sits
from tests.characters.cast import first_level, new_key, person
from tests.characters.play.table import play
from tests.support import clock
from tests.support.at_once import at_once
from tests.support.html import says

pytestmark = [pytest.mark.django_db, pytest.mark.full]
SOON, DAILY = MailChoice.SOON, MailChoice.DAILY
HOUR = timedelta(hours=1)


def confirmed(name, **more):
    user = person(name).user
    user.emailaddress_set.create(**{"email": user.email, "verified": True, "primary": True, **more})
    return user


@pytest.fixture
def together():
    """Not shared, since some of the tests commit."""
    made = saltmarsh(bo="player", cid="player")
    return made, party_of(made, "bo", "cid")


@pytest.fixture(autouse=True)
def nothing_to_begin_with(party):
    """The changes by the table's house rules have been seen, and nobody has played for a while."""
    for name, character in party.items():
        character.refresh_from_db()
        unseen.note_seen(character, person(name), character.version)
        confirmed(name)
    Change.objects.update(at=timezone.now() - 2 * HOUR)


def wants(name="bo", when=SOON, kinds=KINDS):
    choose(person(name).user, dict.fromkeys(kinds, when))


MOMENTS = (
    (Change, "at"),
    (Proposal, "made_at"),
    (Pairing, "made_at"),
    (Purchase, "made_at"),
    (SessionDate, "changed_at"),
    (Member, "news_at"),
    (Reveal, "at"),
    (MailChoice, "since"),
    (MailChoice, "told"),
)


def later(hours=0.0, minutes=0.0):
    """The mails that are written once everything stored is older by this much."""
    ago, before = timedelta(hours=hours, minutes=minutes), len(mail.outbox)
    for model, moment in MOMENTS:
        model.objects.update(**{moment: F(moment) - ago})
    write_due()
    return mail.outbox[before:]


def propose(campaign, party, name="take_damage", to="bo", **sent):
    return party_acts.do_to_several(
        campaign.pk, person(), new_key(), name, sent or {"amount": "4"}, {party[to].pk: ""}, proposed=True
    )


def ask(campaign, party, to="bo"):
    return propose(campaign, party, "roll", to, roll="skill.athletics", target="987")


def hurt(campaign, party, to="bo"):
    party_acts.do_to_several(
        campaign.pk, person(), new_key(), "take_damage", {"amount": "1"}, {party[to].pk: ""}, reason="CANARY"
    )


def everything(campaign, party):
    ask(campaign, party)
    propose(campaign, party)
    schedule(campaign)
    write(campaign.pk, person(), new_key(), text="CANARY", reader="everyone")
    campaign.pairings.create(first=party["bo"], second=party["cid"], key=new_key())
    what = {"ref": "armor:half-plate", "quantity": 1}
    purchases.propose(campaign.pk, person("cid"), new_key(), party["cid"].pk, [party["bo"].pk], **what)
    hurt(campaign, party)


def schedule(campaign, days=3, place="At Nell’s"):
    at = (timezone.now() + timedelta(days=days)).replace(microsecond=0)
    return session_dates.schedule(campaign.pk, person(), at=at, minutes=240, place=place)


def test_nobody_is_mailed_a_kind_that_they_have_not_chosen(campaign, party):
    wants(kinds=("proposals",))
    ask(campaign, party)
    assert not later(hours=2)
    propose(campaign, party)
    assert len(later(hours=2)) == 1


def test_a_table_that_was_handed_over_is_mailed(campaign, party):
    wants()
    bo = campaign.members.get(user=person("bo").user)
    leadership.hand_over(campaign.pk, person(), bo.pk)
    (sent,) = later(minutes=11)
    what = f"{campaign}: its storyteller has handed this campaign to you. You lead it now"
    assert sent.subject == f"Polyhedral: {what}"
    assert f"http://testserver{campaign.get_absolute_url()}" in sent.body
    assert not later(hours=3)


def test_a_waiting_roll_is_mailed_once_with_a_link_to_it(campaign, party):
    wants()
    ask(campaign, party)
    assert not later(minutes=9)
    (sent,) = later(minutes=2)
    assert (sent.to, sent.subject) == (["bo@example.com"], "Polyhedral: Bo: a roll is waiting for you")
    assert f"http://testserver{party['bo'].get_absolute_url()}#proposed" in sent.body
    assert "http://testserver/accounts/notifications/" in sent.body
    assert sent.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert sent.extra_headers["List-Unsubscribe"].strip("<>") in sent.body
    assert sent.extra_headers["Auto-Submitted"] == "auto-generated"
    assert not later(hours=3)
    assert not later(hours=30)
    ask(campaign, party)
    assert "Bo: a roll is waiting for you" in later(hours=4)[0].body


def test_the_links_lead_to_the_address_of_the_site(campaign, party, settings):
    settings.SITE_URL = "https://characters.example.org"
    wants()
    everything(campaign, party)
    (sent,) = later(minutes=11)
    links = [line for line in sent.body.splitlines() if "://" in line]
    assert len(links) == 9
    assert all(one.startswith("https://characters.example.org/") for one in links)
    assert Calendar.from_ical(sent.attachments[0].content).walk("VEVENT")[0]["url"].startswith(settings.SITE_URL)


@pytest.mark.parametrize("end", ["answered", "declined", "withdrawn", "binned"])
def test_a_proposal_that_is_over_meanwhile_is_not_mailed(campaign, party, end):
    wants()
    act = propose(campaign, party)
    bo, proposal = party["bo"], party["bo"].proposals.get()
    if end == "answered":
        proposals.answer(bo.pk, person("bo"), proposal.pk, 0, {})
    elif end == "declined":
        proposals.decline(bo.pk, person("bo"), proposal.pk)
    elif end == "withdrawn":
        party_acts.undo(campaign.pk, person(), new_key(), act.pk)
    else:
        bo.binned_at = timezone.now()
        bo.save()
    assert not later(hours=2)


def test_a_person_who_plays_gets_no_mail_for_an_hour(campaign, party):
    wants()
    play.roll(party["bo"].pk, person("bo"), new_key(), roll="skill.athletics")
    ask(campaign, party)
    assert not later(minutes=59)
    assert len(later(minutes=2)) == 1


def test_a_person_gets_mail_while_only_others_change_their_character(campaign, party):
    wants()
    ask(campaign, party)
    hurt(campaign, party)
    assert len(later(minutes=11)) == 1


def test_nobody_is_mailed_what_waited_before_they_chose(campaign, party):
    ask(campaign, party)
    wants()
    assert not later(hours=2)
    wants(when=DAILY)
    assert not later(hours=48)


def test_nobody_is_mailed_what_they_did_themselves(campaign, party):
    wants("ana")
    confirmed("ana")
    schedule(campaign)
    play.take_damage(party["bo"].pk, person("bo"), new_key(), amount=3)
    wants("bo", kinds=("changed",))
    assert not later(hours=2)


def test_changes_are_mailed_once_until_they_are_seen(campaign, party):
    wants(kinds=("changed",))
    hurt(campaign, party)
    hurt(campaign, party)
    (sent,) = later(minutes=61)
    assert "Bo: changed 2 times since you last looked" in sent.body
    assert f"{party['bo'].get_absolute_url()}#looked" in sent.body
    hurt(campaign, party)
    assert not later(hours=3)
    party["bo"].refresh_from_db()
    unseen.note_seen(party["bo"], person("bo"), party["bo"].version)
    hurt(campaign, party)
    assert "Bo: changed once since you last looked" in later(hours=4)[0].body


def test_a_date_is_mailed_in_the_sites_time_zone_with_a_calendar_file(campaign):
    wants(kinds=("dates",))
    summer = datetime(timezone.now().year + 1, 7, 1, 18, 0, tzinfo=UTC)
    with timezone.override("Europe/Berlin"):
        date = schedule(campaign)
        date.at = summer
        date.save()
        (sent,) = later(minutes=11)
        assert sent.subject == (
            f"Polyhedral: Saltmarsh: the next session is on {summer:%A}, 1 July {summer.year}, 20:00 (Europe/Berlin), "
            "At Nell’s"
        )
    (attached,) = sent.attachments
    assert (attached.filename, attached.mimetype) == ("saltmarsh-session.ics", "text/calendar")
    event = Calendar.from_ical(attached.content).walk("VEVENT")[0]
    assert event.decoded("dtstart") == summer
    schedule(campaign, days=4)
    (moved,) = later(hours=2)
    assert "Saltmarsh: the next session has changed. It is on" in moved.body
    again = Calendar.from_ical(moved.attachments[0].content).walk("VEVENT")[0]
    assert (again["uid"], again["sequence"]) == (event["uid"], 1)


def test_the_daily_mail_comes_at_eight_with_everything_in_it(campaign, party):
    wants(when=DAILY)
    everything(campaign, party)
    # A zone in which it is past noon now, so that everything above happened well before the next morning.
    with timezone.override(timezone.get_fixed_timezone(timedelta(hours=12 - timezone.now().hour))):
        eight = timezone.localtime().replace(hour=8, minute=0, second=0, microsecond=0) + timedelta(days=1)
        with clock.at(eight + timedelta(minutes=9)):
            assert write_due() == 0
        with clock.at(eight + timedelta(minutes=11)):
            assert write_due() == 1
        assert mail.outbox[0].subject == "Polyhedral: 7 things are waiting for you"
        for line in ("a roll is waiting for you", "a proposal is waiting", "a relationship is waiting",
                     "Cid: a shared purchase",
                     "the next session is on", "a note was shown to you", "changed once since you last"):  # fmt: skip
            assert line in mail.outbox[0].body
        ask(campaign, party)
        Proposal.objects.update(made_at=eight + timedelta(minutes=5))
        with clock.at(eight + timedelta(hours=23)):
            assert write_due() == 0
        with clock.at(eight + timedelta(hours=25)):
            assert write_due() == 1
        assert mail.outbox[1].subject == "Polyhedral: 2 things are waiting for you"


def test_the_daily_mail_comes_to_a_person_who_plays_as_well(campaign, party):
    wants(when=DAILY)
    ask(campaign, party)
    for model, moment in ((Proposal, "made_at"), (MailChoice, "since")):
        model.objects.update(**{moment: F(moment) - timedelta(hours=25)})
    play.roll(party["bo"].pk, person("bo"), new_key(), roll="skill.athletics")
    assert write_due() == 1


def test_the_daily_mail_comes_also_soon_after_the_last_of_the_other_kind(campaign, party):
    wants()
    with timezone.override(timezone.get_fixed_timezone(timedelta(hours=12 - timezone.now().hour))):
        eight = timezone.localtime().replace(hour=8, minute=0, second=0, microsecond=0) + timedelta(days=1)
        ask(campaign, party)
        with clock.at(eight - timedelta(minutes=20)):
            assert write_due() == 1
        wants(when=DAILY)
        propose(campaign, party)
        Proposal.objects.filter(action="take_damage").update(made_at=eight - timedelta(minutes=10))
        with clock.at(eight + timedelta(minutes=11)):
            assert write_due() == 1


@pytest.mark.parametrize("when", [SOON, DAILY])
def test_a_person_without_news_costs_two_queries(campaign, party, when, django_assert_num_queries):
    """Their choices, and the search for news: a date may wait for days until they press Seen."""
    for name in ("bo", "cid"):
        wants(name, when)
        ask(campaign, party, name)
    schedule(campaign)
    now = timezone.now() + timedelta(days=2)
    with clock.at(now):
        assert write_due() == 2
    with clock.at(now + timedelta(days=1)), django_assert_num_queries(2 + 2 * 2):
        assert write_due() == 0


def test_only_so_many_people_are_mailed_at_once_and_the_others_a_minute_later(campaign, party, monkeypatch):
    monkeypatch.setattr(notification_mail, "AT_ONCE", 1)
    for name in ("bo", "cid"):
        wants(name)
        ask(campaign, party, name)
    assert [len(later(hours=2)), len(later()), len(later())] == [1, 1, 0]


@pytest.mark.parametrize("how", ["not confirmed", "not the main one", "closed"])
def test_only_a_main_address_that_is_confirmed_gets_mail(campaign, party, how):
    wants()
    bo = person("bo").user
    changed = {"not confirmed": {"verified": False}, "not the main one": {"primary": False}}.get(how)
    if changed:
        bo.emailaddress_set.update(**changed)
    else:
        User.objects.filter(pk=bo.pk).update(is_active=False)
    bo.emailaddress_set.create(email="other@example.com", verified=True)
    ask(campaign, party)
    assert not later(hours=2)
    bo.emailaddress_set.filter(email="bo@example.com").update(verified=True, primary=True)
    User.objects.update(is_active=True)
    assert [one.to for one in later(hours=3)] == [["bo@example.com"]]


def test_a_person_gets_at_most_one_mail_an_hour(campaign, party):
    """Something new every ten minutes, for a day and a night."""
    wants(kinds=("proposals",))
    start, sent = timezone.now(), 0
    for minute in range(0, 24 * 60, 10):
        made = Proposal.objects.create(character=party["bo"], action="heal", sent={"amount": "1"}, key=new_key())
        Proposal.objects.filter(pk=made.pk).update(made_at=start + timedelta(minutes=minute))
        with clock.at(start + timedelta(minutes=minute + 11)):
            sent += write_due()
    assert sent == 24


def test_a_long_list_is_cut_short(campaign, party, monkeypatch):
    monkeypatch.setattr(notification_mail, "MOST", 2)
    wants()
    everything(campaign, party)
    (sent,) = later(hours=2)
    assert sent.subject == "Polyhedral: 7 things are waiting for you"
    assert "And 5 more. See everything that is waiting for you:\nhttp://testserver/notifications/" in sent.body
    assert "the next session" not in sent.body


def test_a_mail_has_only_so_many_calendar_files(campaign, party, monkeypatch):
    monkeypatch.setattr(notification_mail, "MOST", 1)
    wants(kinds=("dates",))
    for table in (campaign, saltmarsh(bo="player")):
        schedule(table)
    (sent,) = later(hours=2)
    assert len(sent.attachments) == 1


def test_a_text_with_line_breaks_stays_on_one_line(campaign, party):
    wants(kinds=("dates",))
    schedule(campaign, place="Here\n\nClick: https://elsewhere.example/\r\nBcc: all@example.com")
    (sent,) = later(hours=2)
    assert "Here Click: https://elsewhere.example/ Bcc: all@example.com\n" in sent.body
    assert "\n" not in sent.subject


def test_no_secret_is_in_a_mail(campaign, party):
    wants()
    wants("cid", when=DAILY)
    write(campaign.pk, person(), new_key(), text="CANARY-note", reader="storytellers")
    play.add_note(party["bo"].pk, person("bo"), new_key(), text="CANARY-own")
    play.roll(party["bo"].pk, person(), new_key(), roll="skill.athletics", secret=True)
    sits(campaign, person("dan"), name="CANARY-dan")
    first_level(person("dan"), name="CANARY-character")
    everything(campaign, party)
    ask(campaign, party, "cid")
    pairing = campaign.pairings.get()
    pairings.agree(campaign.pk, person("cid"), pairing.pk, party["cid"].pk, based_on="bond", text="CANARY-bond")
    sent = later(hours=48)
    assert len(sent) == 2
    for one in sent:
        said = "\n".join([one.subject, one.body, *(str(part) for attached in one.attachments for part in attached)])
        said = said.replace(one.extra_headers["List-Unsubscribe"].strip("<>"), "")
        assert (
            "Bo: a roll" in said or "Cid: a roll" in said
        )  # the control: the mail is about the roll with these secrets
        assert not says(said, 987)
        for secret in ("CANARY", "athletics", "Half plate", "half-plate", "4 damage"):
            assert secret not in said, secret


@pytest.mark.parametrize("error", [ValueError, DataError])
def test_an_error_for_one_account_does_not_stop_the_mail_of_others(campaign, party, monkeypatch, caplog, error):
    for name in ("bo", "cid"):
        wants(name)
        ask(campaign, party, name)
    real, failed = notification_mail.letter, []

    def letter(user, found):
        if not failed:
            failed.append(user)
            raise error("CANARY")
        return real(user, found)

    monkeypatch.setattr(notification_mail, "letter", letter)
    assert len(later(hours=2)) == 1
    assert "The notifications of an account could not be mailed." in caplog.messages
    assert len(later()) == 1  # the failed mail is written the next time


def test_a_database_outage_ends_the_run(campaign, party, monkeypatch):
    wants()
    ask(campaign, party)
    monkeypatch.setattr(notification_mail, "is_news", lambda *asked: raises(OperationalError))
    with pytest.raises(OperationalError):
        later(hours=2)


def raises(error):
    raise error


def test_a_mail_that_is_not_queued_does_not_count_as_told(campaign, party, monkeypatch):
    wants()
    ask(campaign, party)
    monkeypatch.setattr(notification_mail, "letter", lambda user, found: 1 / 0)
    later(hours=2)
    assert set(MailChoice.objects.values_list("told", flat=True)) == {None}


def test_deleting_an_account_deletes_its_mail_choices(campaign):
    wants()
    wants("cid")
    person("bo").user.delete()
    assert set(MailChoice.objects.values_list("user", flat=True)) == {person("cid").user.pk}


@pytest.mark.parametrize("wrong", [{"kind": "x"}, {"when": "hourly"}, {"kind": "dates"}])
def test_the_database_refuses_a_bad_mail_choice(wrong):
    wants(kinds=("dates",))
    columns = {"user": person("bo").user, "kind": "rolls", "when": SOON, **wrong}
    with pytest.raises(IntegrityError), transaction.atomic():
        MailChoice.objects.create(**columns)


def at_the_queue(settings):
    server = {"BACKEND": "django.core.mail.backends.locmem.EmailBackend"}
    settings.MAILERS = {"default": {"BACKEND": "polyhedral_site.mail.Queue"}, "server": server}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("when", [SOON, DAILY])
def test_several_processes_write_a_mail_once(campaign, party, settings, when):
    at_the_queue(settings)
    wants(when=when)
    everything(campaign, party)
    with clock.later(days=2):
        found = at_once(*[write_due] * 4)
    assert (sum(found), QueuedMail.objects.count()) == (1, 1)


@pytest.mark.django_db(transaction=True)
def test_without_the_lock_two_processes_would_write_a_mail_twice(campaign, party, settings, monkeypatch):
    at_the_queue(settings)
    wants(when=DAILY)
    ask(campaign, party)
    both, real = threading.Barrier(2), notification_mail.notifications_of

    def after_both_have_read(*asked):
        both.wait(30)
        return real(*asked)

    monkeypatch.setattr(notification_mail, "notifications_of", after_both_have_read)
    monkeypatch.setattr(notification_mail, "changing", lambda user: nullcontext())
    with clock.later(days=2):
        assert at_once(*[write_due] * 2) == [1, 1]
    assert QueuedMail.objects.count() == 2
    connection.close()
