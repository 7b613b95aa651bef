"""A button that is pressed twice does its work once, and both presses get the same answer."""

import re

import pytest
from django.contrib.messages import get_messages
from django.http import Http404
from pytest_django.asserts import assertContains

from campaigns.models import Campaign, Member, Seat
from campaigns.verbs import campaign_notes, campaigns, membership, screens, seats, session_marks
from tests.campaigns.seated import brought, each_role, saltmarsh
from tests.characters.cast import browser_of, mira, new_key, person

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign():
    return each_role()


def pressed(name, path, **fields):
    """The status of the answer, where it leads, and its words."""
    answer = browser_of(name).post(path, {"key": "the-key-of-the-form", **fields})
    return answer.status_code, answer.headers.get("Location"), [str(one) for one in get_messages(answer.wsgi_request)]


def seats_and_people():
    models = (Seat, Member, Campaign)
    return [list(model.objects.order_by("pk").values()) for model in models]


def proof_on(page):
    return re.search(r'/stand-up/">.*?name="proof" value="([^"]+)"', page.content.decode(), re.DOTALL)[1]


def stand_up_of(campaign, name):
    """The address of the only button to stand up on this person's page, and its hidden field."""
    page = browser_of(name).get(campaign.get_absolute_url())
    return f"{campaign.get_absolute_url()}seats/{Seat.objects.get().pk}/stand-up/", {"proof": proof_on(page)}


def pressed_twice(name, path, **fields):
    """The answer to the first press, when the second got the same and changed nothing."""
    before, first, once = seats_and_people(), pressed(name, path, **fields), seats_and_people()
    assert once != before
    assert pressed(name, path, **fields) == first
    assert seats_and_people() == once
    return first


@pytest.mark.parametrize("name", ["bo", "ana", "eve"])
def test_standing_up_twice_gets_one_answer(campaign, name):
    path, fields = stand_up_of(campaign, name)
    said = pressed_twice(name, path, **fields)
    assert said == (303, campaign.get_absolute_url(), ["Mira is off the table."])
    assert not Seat.objects.exists()


@pytest.mark.parametrize("name", ["bo", "ana", "eve"])
def test_a_prepared_character_that_somebody_plays_stays_prepared_however_often_it_is_pressed(name):
    campaign = each_role()
    Seat.objects.all().delete()
    seat = seats.bring(campaign.pk, person(), mira().pk)
    seats.take(campaign.pk, person("bo"), seat.pk)
    path, fields = stand_up_of(campaign, name)
    said = pressed_twice(name, path, **fields)
    assert said == (303, campaign.get_absolute_url(), ["Mira is waiting for a player again."])
    assert Seat.objects.get().member is None


def test_a_prepared_character_that_waits_leaves_the_table_at_the_first_press():
    campaign = saltmarsh()
    seats.bring(campaign.pk, person(), mira().pk)
    path, fields = stand_up_of(campaign, "ana")
    said = pressed_twice("ana", path, **fields)
    assert said == (303, campaign.get_absolute_url(), ["Mira is off the table."])
    assert not Seat.objects.exists()


def test_a_character_that_somebody_else_took_meanwhile_is_not_taken_from_them(campaign):
    Seat.objects.all().delete()
    seat = seats.bring(campaign.pk, person(), mira().pk)
    seats.take(campaign.pk, person("bo"), seat.pk)
    path, fields = stand_up_of(campaign, "bo")
    pressed("bo", path, **fields)
    seats.take(campaign.pk, person("cid"), seat.pk)
    assert pressed("bo", path, **fields)[0] == 404
    assert Seat.objects.get().member.name == "Cid"


@pytest.mark.parametrize("first", [None, "bo"])
def test_a_storyteller_takes_a_character_from_nobody_who_took_it_since_their_page(first):
    campaign = saltmarsh(bo="player", cid="player")
    seat = seats.bring(campaign.pk, person(), mira().pk)
    if first:
        seats.take(campaign.pk, person(first), seat.pk)
    path, fields = stand_up_of(campaign, "ana")
    if first:
        assert pressed("ana", path, **fields)[0] == 303
    seats.take(campaign.pk, person("cid"), seat.pk)
    page = browser_of("ana").post(path, fields)
    assertContains(page, "Someone else plays Mira now. Nothing was done.", status_code=422)
    assert Seat.objects.get().member.name == "Cid"
    path, fields = stand_up_of(campaign, "ana")
    assert pressed("ana", path, **fields)[0] == 303
    assert Seat.objects.get().member is None


@pytest.mark.parametrize("proof", ["", "x", "[1,2]:x", "\x00", "é", "9" * 5000])
def test_without_a_proof_from_a_page_no_seat_is_found(campaign, proof):
    path, _ = stand_up_of(campaign, "bo")
    pressed("bo", path)
    assert pressed("bo", path, proof=proof)[0] == 404


def test_a_proof_of_one_seat_opens_no_other(campaign):
    _, fields = stand_up_of(campaign, "bo")
    other = saltmarsh("zoe")
    brought(other, "zoe", called="Nell")
    theirs = other.seats.get()
    for table in (campaign, other):
        with pytest.raises(Http404):
            seats.stand_up(table.pk, person("bo"), theirs.pk, fields["proof"])
    assert other.seats.get() == theirs


def test_removing_somebody_twice_gets_one_answer(campaign):
    bo = campaign.members.get(name="Bo")
    path = f"{campaign.get_absolute_url()}people/{bo.pk}/remove/"
    assert pressed_twice("ana", path)[0] == 303
    for name in ("cid", "dan", "zoe"):
        assert pressed(name, path)[0] == 404
    with pytest.raises(Http404):
        membership.remove(saltmarsh("zoe").pk, person("zoe"), bo.pk)


def test_leaving_twice_gets_one_answer_and_tells_no_stranger_of_the_table(campaign):
    path = f"{campaign.get_absolute_url()}leave/"
    assert pressed_twice("bo", path) == (303, "/campaigns/", ["You have left the table."])
    assert pressed("zoe", path)[0] == 404
    campaigns.throw_away(campaign.pk, person())
    assert pressed("cid", path)[0] == 404


def test_a_campaign_is_deleted_and_restored_once_however_often_it_is_pressed(campaign):
    base = campaign.get_absolute_url()
    assert pressed_twice("ana", f"{base}bin/")[0] == 303
    for name in ("bo", "eve", "zoe"):
        assert {pressed(name, f"{base}{word}/")[0] for word in ("bin", "restore", "archive")} == {404}
    assert pressed("ana", f"{base}archive/", over="yes")[0] == 404
    assert pressed_twice("ana", f"{base}restore/") == (303, base, [f"{campaign} is back."])
    for name in ("bo", "eve", "zoe"):
        assert {pressed(name, f"{base}{word}/")[0] for word in ("bin", "restore")} == {404}


def test_what_is_deleted_keeps_the_moment_at_which_it_was(campaign):
    at = campaign.pk, person(), new_key()
    note = campaign_notes.write(*at, text="Fog.", reader="everyone")
    mark = session_marks.set_mark(*at, name="The first evening")
    screens.make_screen(*at, vitals="words")
    screen, invite = campaign.screens.get(), campaign.invites.latest("pk")
    paths = (
        f"notes/{note.pk}/bin/",
        f"log/marks/{mark.pk}/remove/",
        f"screens/{screen.pk}/end/",
        f"invites/{invite.pk}/revoke/",
    )
    deleted = []
    for _ in range(2):
        for path in paths:
            assert pressed("ana", f"{campaign.get_absolute_url()}{path}")[0] == 303
        for one in (note, mark, screen, invite):
            one.refresh_from_db()
        deleted.append((note.binned_at, mark.removed_at, screen.ended_at, invite.revoked_at))
    assert None not in deleted[0]
    assert deleted[1] == deleted[0]
