"""Moves a guest's seat to another device, by a link that works once."""

from datetime import timedelta

from django.db import transaction
from django.http import Http404
from django.utils import timezone

from campaigns.campaign_access import changing, row_of
from campaigns.models import Campaign, DeviceLink, Member
from campaigns.roles import RUN, SEE
from campaigns.verbs import seats
from characters.access import is_person
from characters.change.announcements import announce
from characters.change.refusals import Refused
from characters.models import Character, Looked
from characters.people import Person, hashed
from characters.tokens import token_for

LASTS = timedelta(minutes=30)


class LinkOver(Refused):
    """A link that moves no seat any more."""

    def __init__(self) -> None:
        super().__init__("This link no longer works. Ask for a new one at the table.")


def guest_at(asking: Member, pk: int) -> Member:
    """The guest whose seat this member may move: their own, or anyone's if they run the table. Http404 otherwise."""
    guest = row_of(asking.campaign.members.filter(gone_at=None, user=None), pk)
    if guest != asking and not asking.may(RUN):
        raise Http404("No such guest.")
    return guest


def working_link(guest: Member) -> DeviceLink | None:
    """The link that works for this seat now; there is at most one."""
    return next((link for link in guest.device_links.filter(used_at=None, revoked_at=None) if not link.over), None)


def make_device_link(pk: int, person: Person, member: int, key: str) -> str:
    """The token of a new link, which is shown this once; earlier links end. The same key gives the same token."""
    with changing(pk, person, SEE, key=key) as asking:
        guest = guest_at(asking, member)
        token = token_for("device", guest.pk, key)
        link = DeviceLink.objects.filter(token=hashed(token)).first()
        if link is None:
            end_links(guest)
            DeviceLink.objects.create(member=guest, token=hashed(token), expires_at=timezone.now() + LASTS)
        elif link.over:
            raise LinkOver
    return token


def end_links(guest: Member) -> None:
    guest.device_links.filter(used_at=None, revoked_at=None).update(revoked_at=timezone.now())


def revoke_device_link(pk: int, person: Person, member: int) -> Member:
    with changing(pk, person, SEE) as asking:
        guest = guest_at(asking, member)
        end_links(guest)
    return guest


def device_link_of(token: str) -> DeviceLink:
    """The link, over or not; Http404 if there is none, or its table is in the bin."""
    found = DeviceLink.objects.filter(token=hashed(token), member__campaign__binned_at=None)
    link = found.select_related("member__campaign").first()
    if link is None:
        raise Http404("No such link.")
    return link


def take_over(token: str, person: Person) -> Member:
    """Give this person the seat, and the guest's own characters at this table; characters and seats elsewhere stay with
    the old device. The same form sent again changes nothing. Raises LinkOver, or Refused for someone who has a seat of
    their own there."""
    with transaction.atomic(durable=True):
        campaign = Campaign.objects.select_for_update().get(pk=device_link_of(token).member.campaign_id)
        link = device_link_of(token)  # read again under the lock
        taken = campaign.members.filter(is_person(person), pk=link.member_id, gone_at=None).first()
        if link.used_at is not None and taken is not None:
            return taken
        if link.over:
            raise LinkOver
        if campaign.members.filter(is_person(person)).exists():
            raise Refused("You already sit at this table. Open the link on the other device.")
        guest = link.member
        theirs = list(campaign.seats.filter(character__guest=guest.guest).values_list("character", flat=True))
        whose = {"guest": "", **person.columns}
        known = Looked.objects.filter(is_person(person)).values("character")
        seen = Looked.objects.filter(character__in=theirs, guest=guest.guest)
        seen.exclude(character__in=known).update(**whose)
        Character.objects.filter(pk__in=theirs).update(**{"guest": "", **person.ownership})
        guest_until = timezone.now() if person.user else None
        Member.objects.filter(pk=guest.pk).update(**whose, guest_until=guest_until)
        DeviceLink.objects.filter(pk=link.pk).update(used_at=timezone.now())
        seats.regrant(campaign)
        announce("device", campaign.pk, guest.guest)
    return Member.objects.get(pk=guest.pk)
