"""The stored sittings of a character at a table: who played it, and from when to when."""

from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from campaigns.models import Member, Seat, Sitting
from campaigns.models.seat import proof_of
from campaigns.verbs import campaigns, membership, seats
from polyhedral_site.account_deletion import delete
from tests.campaigns.seated import brought, invite, saltmarsh
from tests.characters.cast import guest, mira, person

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign():
    """Ana leads, Bo and Cid play."""
    return saltmarsh(bo="player", cid="player")


def players():
    """The names of those who played in each sitting, the first one first."""
    return [str(one.member or "") for one in Sitting.objects.all()]


def test_each_player_of_a_prepared_character_has_a_sitting_and_its_waiting_too(campaign):
    prepared = brought(campaign, "ana")
    began = prepared.seat.began_at
    for name in ("bo", "cid"):
        seats.take(campaign.pk, person(name), prepared.seat.pk)
        seats.stand_up(campaign.pk, person(name), prepared.seat.pk)
    seats.take(campaign.pk, person("bo"), prepared.seat.pk)
    membership.leave(campaign.pk, person("bo"))
    seats.stand_up(campaign.pk, person(), prepared.seat.pk)
    assert players() == ["", "Bo", "", "Cid", "", "Bo", ""]
    for one in Sitting.objects.all():
        assert (one.campaign, one.character, one.began_at) == (campaign, prepared, began)
        began = one.ended_at


def test_a_sitting_ends_when_its_player_leaves_with_the_character(campaign):
    brought(campaign)
    membership.remove(campaign.pk, person(), campaign.members.get(name="Bo").pk)
    assert players() == ["Bo"]


def test_a_form_that_comes_twice_ends_one_sitting(campaign):
    seat = brought(campaign).seat
    for _ in range(2):
        seats.stand_up(campaign.pk, person("bo"), seat.pk, proof_of(seat, seat.character))
    assert players() == ["Bo"]


def test_a_sitting_at_a_table_in_the_bin_ends_where_the_character_is_brought_to_another(campaign):
    character, other = brought(campaign), saltmarsh(bo="player")
    campaigns.throw_away(campaign.pk, person())
    assert players() == []
    seats.bring(other.pk, person("bo"), character.pk)
    assert Sitting.objects.get().campaign == campaign


def test_a_clock_that_was_put_back_ends_no_sitting_before_it_began(campaign, monkeypatch):
    seat, earlier = brought(campaign).seat, timezone.now() - timedelta(hours=1)
    monkeypatch.setattr(seats, "timezone", SimpleNamespace(now=lambda: earlier))
    seats.stand_up(campaign.pk, person("bo"), seat.pk)
    assert Sitting.objects.get().ended_at == seat.began_at


def test_a_guest_who_signs_in_keeps_their_sittings(campaign):
    visitor = guest()
    membership.join(invite(campaign), visitor, name="Nell")
    character = mira(visitor)
    seats.bring(campaign.pk, visitor, character.pk)
    seats.stand_up(campaign.pk, visitor, character.seat.pk)
    membership.claim_seats(visitor.guest, person("bo").user)
    assert not Member.objects.filter(name="Nell").exists()
    assert players() == ["Bo"]


def test_a_deleted_account_leaves_the_times_without_its_name(campaign):
    prepared = brought(campaign, "ana")
    seats.take(campaign.pk, person("bo"), prepared.seat.pk)
    brought(campaign, "bo", "Nell")
    delete(person("bo").user)
    assert [one.character for one in Sitting.objects.all()] == [prepared, prepared]
    assert players() == ["", ""]


def test_sittings_go_with_their_character_and_their_table(campaign):
    characters = brought(campaign), brought(campaign, "cid")
    for one, name in zip(characters, ("bo", "cid"), strict=True):
        seats.stand_up(campaign.pk, person(name), one.seat.pk)
    characters[0].delete()
    assert players() == ["Cid"]
    campaign.delete()
    assert players() == []


def test_the_database_refuses_a_second_seat_of_a_character_and_a_sitting_that_ends_before_it_began(campaign):
    character, other, now = brought(campaign), saltmarsh(), timezone.now()
    with pytest.raises(IntegrityError), transaction.atomic():
        Seat.objects.create(campaign=other, character=character)
    here = {"campaign": campaign, "character": character, "began_at": now}
    with pytest.raises(IntegrityError, match="sitting_ends_after_it_began"), transaction.atomic():
        Sitting.objects.create(**here, ended_at=now - timedelta(microseconds=1))
    Sitting.objects.create(**here, ended_at=now)
