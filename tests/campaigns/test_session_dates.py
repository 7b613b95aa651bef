"""The next session: set and moved by storytellers, shown to every member, and downloaded into a calendar."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone
from icalendar import Calendar

from campaigns.models import SessionDate
from campaigns.verbs import session_dates
from characters.change.refusals import Refused
from characters.verbs.bin import throw_away
from tests.campaigns.seated import brought, saltmarsh
from tests.characters.cast import new_key, person
from tests.support.html import html_of

pytestmark = [pytest.mark.django_db, pytest.mark.full]
ROLES = {"bo": "player", "dan": "spectator", "eve": "co-storyteller"}
DAY = (timezone.now() + timedelta(days=9)).date().isoformat()
SUMMER = datetime(timezone.now().year + 1, 7, 1, 18, 0, tzinfo=UTC)  # 20:00 in Berlin
ASKED = {"date": DAY, "time": "20:00", "minutes": "240", "place": "At Nell’s; bring “snacks”, please"}


@pytest.fixture
def campaign():
    return saltmarsh(**ROLES)


def posted(client, campaign, who="ana", path="next-session/", **fields):
    client.force_login(person(who).user)
    return client.post(f"{campaign.get_absolute_url()}{path}", {"key": new_key(), **ASKED, **fields})


def calendar(client, campaign, who="bo"):
    client.force_login(person(who).user)
    return client.get(f"{campaign.get_absolute_url()}session.ics")


def event_of(answer):
    return Calendar.from_ical(answer.content).walk("VEVENT")[0]


def test_every_member_sees_the_date_and_storytellers_can_move_it(client, campaign):
    assert posted(client, campaign, "eve").status_code == 303
    for name in ("ana", *ROLES):
        client.force_login(person(name).user)
        page = client.get(campaign.get_absolute_url()).content.decode()
        assert "20:00" in page, name
        assert "(UTC)" in page
        assert "bring “snacks”" in page
        assert ("Change it" in page) == (name in ("ana", "eve")), name
    assert calendar(client, campaign, "stranger").status_code == 404


def test_my_campaigns_tell_when_each_meets_and_lead_to_my_characters(client, campaign, django_assert_max_num_queries):
    character, binned = brought(campaign), brought(campaign, called="Nell")
    throw_away(binned.pk, person("bo"), new_key())
    posted(client, campaign)
    client.force_login(person("bo").user)
    with django_assert_max_num_queries(100) as one:
        shown = html_of(client.get("/campaigns/"))
    queries = len(one)
    assert f'<a href="{character.get_absolute_url()}">Mira</a>' in shown
    assert "Nell</a>" not in shown
    assert "20:00" in shown
    others = [saltmarsh(bo="player") for _ in range(3)]
    brought(others[0], called="Orla")
    posted(client, others[1], time="21:15")
    client.force_login(person("bo").user)
    with django_assert_max_num_queries(queries):
        shown = html_of(client.get("/campaigns/"))
    assert [shown.count(words) for words in ("20:00</time>", "21:15</time>", "Orla</a>")] == [1, 1, 1]
    client.force_login(person("dan").user)
    shown = html_of(client.get("/campaigns/"))
    assert "20:00" in shown
    assert "Mira" not in shown


def test_a_date_that_nobody_has_read_is_not_replaced(client, campaign):
    def shown(answer):
        return re.search(r'name="saw" value="([\d-]*)"', html_of(answer))[1]

    client.force_login(person().user)
    first = shown(client.get(f"{campaign.get_absolute_url()}next-session/"))
    assert posted(client, campaign, "eve", saw=first, place="Eve’s").status_code == 303
    assert posted(client, campaign, "eve", saw=first, place="Eve’s").status_code == 303  # a form sent twice
    refused = posted(client, campaign, saw=first, place="Ana’s")
    assert refused.status_code == 409
    assert "Someone else has changed this in the meantime" in html_of(refused)
    assert "Eve’s" in html_of(refused)
    assert 'value="Ana’s"' in html_of(refused)
    assert SessionDate.objects.get().place == "Eve’s"
    assert posted(client, campaign, saw=shown(refused), place="Ana’s").status_code == 303
    assert SessionDate.objects.get().place == "Ana’s"


def test_a_date_that_was_called_off_is_not_set_again_unread(client, campaign):
    posted(client, campaign)
    saw = SessionDate.objects.get().stamp
    posted(client, campaign, "eve", "next-session/call-off/")
    refused = posted(client, campaign, saw=saw)
    assert (refused.status_code, SessionDate.objects.count()) == (409, 0)
    assert "is over, or was called off in the meantime. Save again to set a new one." in html_of(refused)
    assert posted(client, campaign, saw="").status_code == 303


def test_a_date_that_nobody_has_read_is_not_called_off(client, campaign):
    posted(client, campaign)
    saw = SessionDate.objects.get().stamp
    posted(client, campaign, "eve", saw=saw, place="Eve’s")
    refused = posted(client, campaign, path="next-session/call-off/", saw=saw)
    assert refused.status_code == 409
    assert "Read it here. To call it off, press again." in html_of(refused)
    assert 'value="Eve’s"' in html_of(refused)
    assert (
        posted(client, campaign, path="next-session/call-off/", saw=SessionDate.objects.get().stamp).status_code == 303
    )
    for _ in range(2):  # sent twice, there is nothing left to call off
        assert posted(client, campaign, path="next-session/call-off/", saw=saw).status_code == 303
    assert not SessionDate.objects.exists()


def test_a_date_is_shown_in_the_sites_time_zone_and_stored_in_utc(client, campaign):
    with timezone.override("Europe/Berlin"):
        posted(client, campaign, date=f"{SUMMER:%Y-%m-%d}")
        page = client.get(campaign.get_absolute_url()).content.decode()
    assert SessionDate.objects.get().at == SUMMER
    assert "20:00" in page
    assert "(Europe/Berlin)" in page
    assert f'datetime="{SUMMER.year}-07-01T18:00:00+00:00"' in page


def test_the_calendar_file_is_in_utc(client, campaign):
    with timezone.override("Europe/Berlin"):
        posted(client, campaign, date=f"{SUMMER:%Y-%m-%d}")
    answer = calendar(client, campaign)
    event = event_of(answer)
    assert answer.headers["Content-Type"] == "text/calendar; charset=utf-8"
    assert event.decoded("dtstart") == SUMMER
    assert event.decoded("dtend") == SUMMER + timedelta(hours=4)
    assert (event["summary"], event["location"]) == ("Saltmarsh", ASKED["place"])
    assert f"DTSTART:{SUMMER.year}0701T180000Z\r\n".encode() in answer.content
    assert all(len(line) <= 75 for line in answer.content.split(b"\r\n"))


def test_a_moved_session_stays_the_same_calendar_entry(client, campaign):
    posted(client, campaign)
    first = event_of(calendar(client, campaign))
    posted(client, campaign)
    assert event_of(calendar(client, campaign))["sequence"] == first["sequence"] == 0
    posted(client, campaign, time="21:30")
    moved = event_of(calendar(client, campaign))
    assert (moved["uid"], moved["sequence"]) == (first["uid"], 1)
    assert SessionDate.objects.count() == 1


def test_a_session_that_is_over_makes_room_for_the_next(client, campaign):
    posted(client, campaign)
    SessionDate.objects.update(at=timezone.now() - timedelta(hours=3))
    assert session_dates.next_of(campaign) is not None  # they are playing
    SessionDate.objects.update(at=timezone.now() - timedelta(hours=5))
    assert session_dates.next_of(campaign) is None
    assert calendar(client, campaign).status_code == 404
    posted(client, campaign)
    assert SessionDate.objects.count() == 2


def test_a_session_is_called_off(client, campaign):
    posted(client, campaign)
    for _ in range(2):
        assert posted(client, campaign, path="next-session/call-off/").status_code == 303
    assert "Next session:" not in client.get(campaign.get_absolute_url()).content.decode()
    assert not SessionDate.objects.exists()


BAD = [
    *(("date", wrong) for wrong in ("", "x", "2001-01-01", "9999-12-31", "2027-02-30", "x" * 3000)),
    *(("time", wrong) for wrong in ("", "x", "25:00", "\x00")),
    *(("minutes", wrong) for wrong in ("", "x", "0", "100000", "-30")),
    *(("place", wrong) for wrong in ("x" * 201, "x\x00")),
]


@pytest.mark.parametrize(("field", "wrong"), BAD)
def test_bad_answers_are_refused_at_their_field(client, campaign, field, wrong):
    answer = posted(client, campaign, **{field: wrong})
    assert answer.status_code == 422
    assert f"id_{field}_error" in answer.content.decode()
    assert not SessionDate.objects.exists()


@pytest.mark.parametrize(("date", "hour"), [("2027-03-28", "02:30"), ("2027-10-31", "02:30")])
def test_a_time_that_the_clock_change_skips_or_repeats_is_refused(client, campaign, date, hour):
    with timezone.override("Europe/Berlin"):
        answer = posted(client, campaign, date=date, time=hour)
    assert answer.status_code == 422
    assert "The clocks change that day" in answer.content.decode()


def test_only_storytellers_set_and_call_off_a_session(client, campaign):
    posted(client, campaign)
    for name in ("bo", "dan", "stranger"):
        assert posted(client, campaign, name, time="23:00").status_code == 404
        assert posted(client, campaign, name, "next-session/call-off/").status_code == 404
    assert SessionDate.objects.get().at.hour == 20


def test_the_verb_refuses_a_date_in_the_past_or_too_far_ahead(campaign):
    for at in (timezone.now() - timedelta(minutes=1), timezone.now() + timedelta(days=800)):
        with pytest.raises(Refused):
            session_dates.schedule(campaign.pk, person(), at=at, minutes=60, place="")


@pytest.mark.parametrize("minutes", [14, 1441])
def test_the_database_holds_the_bounds_of_a_sessions_length(campaign, minutes):
    with pytest.raises(IntegrityError), transaction.atomic():
        SessionDate.objects.create(campaign=campaign, at=timezone.now(), minutes=minutes)
    SessionDate.objects.create(campaign=campaign, at=timezone.now(), minutes=60)


def test_a_session_under_way_may_get_another_place(campaign):
    began = timezone.now() - timedelta(minutes=20)
    SessionDate.objects.create(campaign=campaign, at=began, minutes=240, place="At Nell’s")
    moved = session_dates.schedule(campaign.pk, person(), at=began, minutes=240, place="Online")
    assert (moved.place, SessionDate.objects.count()) == ("Online", 1)
    with pytest.raises(Refused, match="already passed"):
        session_dates.schedule(campaign.pk, person(), at=began - timedelta(minutes=1), minutes=240, place="Online")


def test_the_form_says_1_hour_and_4_hours(client, campaign):
    client.force_login(person("ana").user)
    page = client.get(f"/campaigns/{campaign.pk}/next-session/").content.decode()
    assert [text for text in (">1 hour<", ">1.5 hours<", ">4 hours<") if text not in page] == []
