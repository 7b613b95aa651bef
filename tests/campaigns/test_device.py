"""A guest's seat moves to another device by a link that works once; the old device loses it."""

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import IntegrityError
from django.http import Http404
from django.test import Client, RequestFactory
from django.utils import timezone

from campaigns.models import DeviceLink, Member
from campaigns.verbs import campaigns, membership, other_device, seats
from campaigns.verbs.other_device import LinkOver, make_device_link, take_over
from characters.change.refusals import Refused
from characters.models import Character, Looked
from characters.people import SESSION_KEY, hashed
from characters.unseen import delete_rows_of_gone_guests, note_seen
from polyhedral_site.adapter import AccountAdapter
from polyhedral_site.signed_in import SessionStore
from tests.campaigns.seated import saltmarsh, sits
from tests.characters.cast import as_guest, browser_of, guest, new_key, person
from tests.support.at_once import at_once
from tests.support.characters import owned_by

pytestmark = [pytest.mark.django_db, pytest.mark.full]


@pytest.fixture
def campaign():
    return saltmarsh()


@pytest.fixture
def old(client):
    """The device that has the seat."""
    return as_guest(client)


@pytest.fixture
def nell(campaign, old):
    return sits(campaign, old, name="Nell")


@pytest.fixture
def own(campaign, old, nell):
    """A character that Nell brought."""
    character = owned_by(person().user)
    Character.objects.filter(pk=character.pk).update(owner=None, guest=old.guest)
    seats.bring(campaign.pk, old, character.pk)
    return character


def link(campaign, nell, by=None):
    return make_device_link(campaign.pk, by or person(), nell.pk, new_key())


def page_of(campaign, nell):
    return f"{campaign.get_absolute_url()}people/{nell.pk}/device/"


def test_the_guests_link_moves_seat_and_character_to_the_new_device(client, campaign, nell, own):
    page = client.post(page_of(campaign, nell), {"key": new_key()}).content.decode()
    path = re.search(r'value="http://testserver(/device/[^"]+)"', page)[1]
    assert DeviceLink.objects.get().token == hashed(path.split("/")[2])
    assert path not in client.get(page_of(campaign, nell)).content.decode()
    new = Client()
    shown = new.get(path)
    assert "noindex" in shown.headers["X-Robots-Tag"]
    assert f"<title>Take a seat of {campaign} ·" in shown.content.decode()
    assert client.get(own.get_absolute_url()).status_code == 200
    assert new.post(path, {"key": new_key()}).headers["Location"] == campaign.get_absolute_url()
    for address in (campaign.get_absolute_url(), own.get_absolute_url()):
        assert new.get(address).status_code == 200
        assert client.get(address).status_code == 404
    assert (campaign.members.count(), campaign.seats.get().member) == (2, nell)


def test_a_new_device_whose_answer_was_lost_gets_the_seat_anyway(campaign, nell, own):
    """Without the answer the browser has no session yet, and sends the same form again."""
    browser, path = Client(), f"/device/{link(campaign, nell)}/"
    browser.get(path)
    form = {"key": new_key()}
    lost = Client()
    lost.cookies.load({"csrftoken": browser.cookies["csrftoken"].value})
    assert lost.post(path, form).status_code == 303
    assert browser.post(path, form).status_code == 303
    assert browser.get(own.get_absolute_url()).status_code == 200
    assert Client().post(path, form).status_code == 410


def test_a_prepared_character_moves_with_the_seat(campaign, old, nell):
    seat = seats.bring(campaign.pk, person(), owned_by(person().user).pk)
    seats.take(campaign.pk, old, seat.pk)
    take_over(link(campaign, nell), guest("c" * 64))
    roles = dict(seat.character.grants.values_list("guest", "role"))
    assert roles["c" * 64] == "player"
    assert old.guest not in roles


def test_seats_and_drafts_elsewhere_stay_with_the_old_device(campaign, old, nell):
    other = sits(saltmarsh(), old, name="Nell")
    draft = owned_by(person().user)
    Character.objects.filter(pk=draft.pk).update(owner=None, guest=old.guest)
    take_over(link(campaign, nell), guest("c" * 64))
    assert Member.objects.get(pk=other.pk).guest == old.guest
    assert Character.objects.get(pk=draft.pk).guest == old.guest


@pytest.mark.parametrize("new", [guest("c" * 64), None])
def test_the_version_that_the_guest_has_seen_moves_with_the_seat(campaign, old, nell, own, new):
    new = new or person("bo")
    note_seen(own, old, 3)
    take_over(link(campaign, nell), new)
    row = Looked.objects.get()
    assert (row.user, row.guest, row.number) == (new.user, "" if new.user else new.guest, 3)
    assert campaign.members.get(pk=nell.pk).user == new.user
    assert delete_rows_of_gone_guests() == 0


def test_the_new_device_keeps_a_later_version_that_it_has_seen(campaign, old, nell, own):
    note_seen(own, old, 3)
    note_seen(own, person("bo"), 7)
    take_over(link(campaign, nell), person("bo"))
    assert Looked.objects.get(user=person("bo").user).number == 7
    assert delete_rows_of_gone_guests() == 1


def test_versions_seen_of_other_characters_stay_with_the_old_device(campaign, old, nell, own):
    draft = owned_by(person().user)
    Character.objects.filter(pk=draft.pk).update(owner=None, guest=old.guest)
    note_seen(draft, old, 3)
    take_over(link(campaign, nell), guest("c" * 64))
    assert Looked.objects.get().guest == old.guest


@pytest.mark.django_db(transaction=True)
def test_signing_in_and_moving_the_seat_at_once_do_not_deadlock(client):
    """Both go through the table, its characters and their roles in this order."""
    for at in range(12):
        campaign, old = saltmarsh(), guest(hashed(f"token {at}"))
        nell = sits(campaign, old, name="Nell")
        for _ in range(3):
            character = owned_by(person().user)
            Character.objects.filter(pk=character.pk).update(owner=None, guest=old.guest)
            seats.bring(campaign.pk, old, character.pk)
            seats.take(campaign.pk, old, seats.bring(campaign.pk, person(), owned_by(person().user).pk).pk)
        token, new = link(campaign, nell), guest(f"{at:064}")
        request = RequestFactory().get("/")
        request.session, request.user = SessionStore(), AnonymousUser()
        request.session[SESSION_KEY] = f"token {at}"

        def signs_in(request=request):
            AccountAdapter(request).login(request, person("bo").user)

        answers = at_once(signs_in, lambda token=token, new=new: take_over(token, new))
        assert not [one for one in answers if isinstance(one, Exception) and not isinstance(one, LinkOver)], answers
        member = campaign.members.get(pk=nell.pk)
        owner = {(one.character.owner, one.character.guest) for one in member.seats.all()} - {(person().user, "")}
        assert owner == {(member.user, member.guest)}


def test_opening_the_link_changes_nothing(client, campaign, nell):
    token = link(campaign, nell)
    for _ in range(3):
        assert Client().get(f"/device/{token}/").status_code == 200
    assert DeviceLink.objects.get().used_at is None
    assert client.get(campaign.get_absolute_url()).status_code == 200


ENDED = {
    "used": lambda campaign, nell, token: take_over(token, guest("e" * 64)),
    "out of time": lambda campaign, nell, token: DeviceLink.objects.update(
        expires_at=timezone.now() - timedelta(seconds=1)
    ),
    "deleted": lambda campaign, nell, token: other_device.revoke_device_link(campaign.pk, person(), nell.pk),
    "superseded": lambda campaign, nell, token: link(campaign, nell),
    "removed": lambda campaign, nell, token: membership.remove(campaign.pk, person(), nell.pk),
    "an account": lambda campaign, nell, token: membership.claim_seats(nell.guest, person("bo").user),
}


@pytest.mark.parametrize("end", ENDED)
def test_an_ended_link_moves_nothing(campaign, nell, end):
    token = link(campaign, nell)
    ENDED[end](campaign, nell, token)
    before = Member.objects.filter(pk=nell.pk).values().get()
    for answer in (Client().get(f"/device/{token}/"), Client().post(f"/device/{token}/", {"key": new_key()})):
        assert answer.status_code == 410
        assert "This link no longer works" in answer.content.decode()
    assert Member.objects.filter(pk=nell.pk).values().get() == before


def test_an_old_link_does_not_move_a_member_who_was_removed_and_came_back(campaign, old, nell):
    token = link(campaign, nell)
    membership.remove(campaign.pk, person(), nell.pk)
    assert sits(campaign, old, name="Nell").pk == nell.pk
    with pytest.raises(LinkOver):
        take_over(token, guest("c" * 64))


def test_a_used_link_does_not_answer_a_member_who_was_removed_since(campaign, nell):
    token, new = link(campaign, nell), guest("c" * 64)
    take_over(token, new)
    membership.remove(campaign.pk, person(), nell.pk)
    with pytest.raises(LinkOver):
        take_over(token, new)


def test_a_form_sent_again_makes_no_second_link_and_brings_no_deleted_one_back(campaign, nell):
    key = new_key()
    assert len({make_device_link(campaign.pk, person(), nell.pk, key) for _ in range(2)}) == 1
    assert DeviceLink.objects.count() == 1
    other_device.revoke_device_link(campaign.pk, person(), nell.pk)
    with pytest.raises(LinkOver):
        make_device_link(campaign.pk, person(), nell.pk, key)


def test_a_link_of_a_table_in_the_bin_is_not_found(campaign, nell):
    token = link(campaign, nell)
    campaigns.throw_away(campaign.pk, person())
    assert Client().get(f"/device/{token}/").status_code == 404


def test_a_member_takes_no_second_seat_by_the_link(client, campaign, old, nell):
    token = link(campaign, nell)
    sits(campaign, guest("c" * 64), name="Cid")
    for who in (person(), guest("c" * 64), old):
        with pytest.raises(Refused):
            take_over(token, who)
    refused = client.post(f"/device/{token}/", {"key": new_key()})
    assert refused.status_code == 422
    assert "You already sit at this table" in refused.content.decode()
    assert DeviceLink.objects.get().used_at is None


def test_only_the_guest_and_storytellers_make_the_link(client, campaign, nell):
    bo = sits(campaign, person("bo"))
    other = browser_of("bo")
    for path in (page_of(campaign, nell), f"{page_of(campaign, nell)}revoke/"):
        assert other.post(path, {"key": new_key()}).status_code == 404
    assert client.post(page_of(campaign, bo), {"key": new_key()}).status_code == 404
    client.force_login(person().user)
    assert client.get(page_of(campaign, bo)).status_code == 404  # Bo has an account and signs in instead
    assert client.get(page_of(saltmarsh(), nell)).status_code == 404
    assert client.get(page_of(campaign, nell).replace(str(nell.pk), str(2**70))).status_code == 404
    assert not DeviceLink.objects.exists()


def test_no_link_is_made_for_a_guest_who_has_left(campaign, nell):
    membership.remove(campaign.pk, person(), nell.pk)
    with pytest.raises(Http404):
        link(campaign, nell)


def test_without_a_key_no_link_is_made(client, campaign, nell):
    assert client.post(page_of(campaign, nell), {"key": ""}).status_code == 422
    assert not DeviceLink.objects.exists()


def test_the_seat_stays_with_the_new_device_whichever_device_signs_up(campaign, old, nell, own):
    token = "another guest's token"
    take_over(link(campaign, nell), guest(hashed(token)))
    membership.claim_seats(old.guest, person("bo").user)
    assert campaign.members.get(pk=nell.pk).guest == hashed(token)
    membership.claim_seats(hashed(token), person("cid").user)
    assert campaign.members.get(pk=nell.pk).user == person("cid").user


def test_an_account_that_takes_the_seat_over_owns_the_character(campaign, nell, own):
    assert take_over(link(campaign, nell), person("bo")).user == person("bo").user
    own.refresh_from_db()
    assert (own.owner, own.guest) == (person("bo").user, "")


def test_a_token_is_stored_only_as_a_hash(nell):
    with pytest.raises(IntegrityError):
        DeviceLink.objects.create(member=nell, token="plain", expires_at=timezone.now())


@pytest.mark.django_db(transaction=True)
def test_thirty_two_takeovers_at_once_move_the_seat_once(campaign, nell):
    token = link(campaign, nell)
    answers = at_once(*[lambda at=at: take_over(token, guest(f"{at:064}")) for at in range(32)])
    assert sum(isinstance(answer, Member) for answer in answers) == 1
    assert sum(isinstance(answer, LinkOver) for answer in answers) == 31
    assert campaign.members.count() == 2
