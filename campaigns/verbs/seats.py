"""Characters at a table: brought, prepared, taken and given back; and who may do what with each."""

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.http import Http404

from campaigns.campaign_access import MAY, RUN, SEE, locked
from campaigns.models import Campaign, Member, Seat
from campaigns.moved import moved
from campaigns.verbs.table_rules import sit_by_rules
from characters.access import MOST, owned_by
from characters.change.journal import Refused
from characters.grants import set_grants
from characters.models import Character
from characters.people import Person

MOST_SEATS = 60


def bring(pk: int, person: Person, character: int) -> Seat:
    """A character of one's own sits down: a player's to be played by them, a storyteller's for somebody to take."""
    with transaction.atomic(durable=True):
        member = locked(pk, person, SEE)
        if member.role == "spectator":
            raise Refused("Spectators watch. Ask your storyteller for an invite as a player.")
        mine = Character.objects.filter(owned_by(person), pk=character, binned_at=None) if character <= MOST else None
        found = mine.first() if mine is not None else None
        if found is None:
            raise Http404("No such character.")
        if member.campaign.seats.count() >= MOST_SEATS:
            raise Refused(f"{MOST_SEATS} characters sit at this table, and that is the most.")
        player = None if RUN in MAY[member.role] else member
        try:
            with transaction.atomic():
                seat = Seat.objects.create(campaign=member.campaign, character=found, member=player)
        except IntegrityError:
            raise Refused(f"{found} sits at a table already.") from None
        sit_by_rules(seat, person)
        regrant(member.campaign)
    return seat


def take(pk: int, person: Person, seat: int) -> Seat:
    """A player plays what the storytellers have prepared."""
    with transaction.atomic(durable=True):
        member = locked(pk, person, SEE)
        found = _seat(pk, seat)
        if member.role != "player":
            raise Refused("Players take what is prepared.")
        if found.member_id not in (None, member.pk):
            raise Refused(f"Someone else plays {found.character} already.")
        found.member = member
        found.save(update_fields=["member"])
        regrant(member.campaign)
    return found


def stand_up(pk: int, person: Person, seat: int) -> Seat:
    """Away from the table: by whoever keeps or plays the character, or runs the table. A character
    that was prepared and taken waits for somebody else first."""
    with transaction.atomic(durable=True):
        member = locked(pk, person, SEE)
        found = _seat(pk, seat)
        keeps = Character.objects.filter(owned_by(person), pk=found.character_id).exists()
        if not (keeps or found.member_id == member.pk or RUN in MAY[member.role]):
            raise Http404("No such seat.")
        _clear(found)
        regrant(member.campaign)
    return found


def _clear(seat: Seat) -> None:
    if seat.member is None or is_keeper(seat.member, seat.character):
        set_grants({seat.character_id: {}})
        seat.delete()
    else:
        seat.member = None
        seat.save(update_fields=["member"])


def go(member: Member) -> None:
    """Clear the seats of somebody who goes: their own characters leave, those they took wait again."""
    theirs = Q(character__owner=member.user_id) if member.user_id else Q(character__guest=member.guest)
    for seat in _seats(member.campaign).filter(theirs):
        set_grants({seat.character_id: {}})
        seat.delete()
    member.seats.update(member=None)
    regrant(member.campaign)


def regrant(campaign: Campaign) -> None:
    """Everybody's role with each character at the table, from who sits there now. In the bin nobody has any."""
    people = list(campaign.members.filter(gone_at=None)) if campaign.binned_at is None else []
    set_grants(
        {
            seat.character_id: {
                (member.user_id, member.guest): _role(member, seat)
                for member in people
                if not is_keeper(member, seat.character)
            }
            for seat in _seats(campaign)
        }
    )
    moved(campaign.pk)


def _role(member: Member, seat: Seat) -> str:
    if RUN in MAY[member.role]:
        return "storyteller"
    if seat.member_id == member.pk:
        return "player"
    return "spectator" if member.role == "spectator" else "party"


def is_keeper(member: Member, character: Character) -> bool:
    """True if the character is this member's own."""
    if member.user_id is not None:
        return character.owner_id == member.user_id
    return character.guest == member.guest


def _seats(campaign: Campaign | int) -> QuerySet:
    return Seat.objects.filter(campaign=campaign).select_related("character", "member")


def _seat(pk: int, seat: int) -> Seat:
    found = _seats(pk).filter(pk=seat).first() if seat <= MOST else None
    if found is None:
        raise Http404("No such seat.")
    return found
