"""Characters at a table: brought, prepared, taken and given back; and everyone's roles with each."""

from collections.abc import Collection
from datetime import datetime

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.http import Http404
from django.utils import timezone

from campaigns.campaign_access import changing, locked, row_of
from campaigns.following import tell_followers
from campaigns.models import Campaign, Member, PartyAct, Seat, Sitting
from campaigns.models.seat import shown_by
from campaigns.new_characters import terms_of
from campaigns.roles import PLAY, RUN, SEE
from campaigns.verbs.agreements import forget_yes
from campaigns.verbs.rolled_sets import deal_at_start
from campaigns.verbs.table_rules import sit_by_rules
from characters.access import owned_by
from characters.actions.proposals import withdraw
from characters.change.announcements import announce
from characters.change.begin_character import begin_within
from characters.change.journal import all_or_none
from characters.change.refusals import KeyReused, Refused
from characters.grants import set_grants
from characters.models import Change, Character
from characters.people import Person
from characters.read.party import versions_of
from characters.verbs.begin import at_terms

MOST_SEATS = 60


def bring(pk: int, person: Person, character: int) -> Seat:
    """Seat the person's own character: a player plays it, a storyteller's waits for someone to take it. If it has a
    seat at a table in the bin, that seat is removed. If it sits here already, that seat is returned."""
    with all_or_none():
        own = Character.objects.filter(owned_by(person), binned_at=None)
        # The former table is locked, too: restoring it gives roles with every character seated there.
        former = Seat.objects.filter(character__in=own.filter(pk=character)).values("campaign")
        list(Campaign.objects.select_for_update().filter(Q(pk=pk) | Q(pk__in=former)).order_by("pk"))
        member = locked(pk, person, SEE)
        _may_sit(member)
        found = row_of(own, character)
        if (seat := _seats(pk).filter(character=found).first()) is not None:
            return seat
        for left in Seat.objects.filter(character=found).exclude(campaign__binned_at=None):
            _end_waiting(left.campaign_id, [found.pk])
            _end_sitting(left)
            left.delete()
        try:
            with transaction.atomic():
                seat = seat_for(member.campaign, found, _player(member))
        except IntegrityError:
            raise Refused(f"{found} already sits at a table. Take it off that table first.") from None
        sit_by_rules(seat, person)
        regrant(member.campaign)
    return seat


def begin(pk: int, person: Person, key: str) -> Seat:
    """Begin a new character here at the terms of the table, and seat it. The same key returns the same seat."""
    with changing(pk, person, SEE, key=key) as member:
        earlier = Change.objects.filter(key=key, sequence=1).first()
        if earlier is not None:
            known = _seats(pk).filter(character=earlier.character_id).first()
            if known is None or not is_keeper(member, known.character):
                raise KeyReused
            return known
        _may_sit(member)
        terms = terms_of(member.campaign)
        act = at_terms(terms.switches, terms.sources, terms.more_xp)
        what = {"campaign": pk, "terms": terms.lines}
        begun = begin_within(person, "start", key, what, act, ruleset=member.campaign.ruleset)
        deal_at_start(_player(member), begun.character, terms, person)
        seat = seat_for(member.campaign, begun.character, _player(member))
        regrant(member.campaign)
    return seat


def _may_sit(member: Member) -> None:
    if not member.takes_part:
        raise Refused("Spectators only watch. To play, ask your storyteller for a player’s invite.")
    if member.campaign.seats.count() >= MOST_SEATS:
        raise Refused(f"{MOST_SEATS} characters sit at this table, and that is the limit.")


def _player(member: Member) -> Member | None:
    """The player of a character that this member brings; None for a storyteller's, which waits for someone to take
    it."""
    return None if member.may(RUN) else member


def seat_for(campaign: Campaign, character: Character, member: Member | None = None) -> Seat:
    """A seat for this character, which gives nobody a role until `regrant`."""
    level = versions_of([character])[character.pk].sheet.level
    return Seat.objects.create(campaign=campaign, character=character, member=member, level=level)


def take(pk: int, person: Person, seat: int) -> Seat:
    """A player takes a character that the storytellers have prepared."""
    with changing(pk, person, SEE) as member:
        found = _seat(pk, seat)
        if not member.may(PLAY):
            raise Refused("Only players can take a prepared character.")
        if found.member_id not in (None, member.pk):
            raise Refused(f"Someone else already plays {found.character}.")
        if found.member is None:
            _give(found, member)
            regrant(member.campaign)
    return found


def stand_up(pk: int, person: Person, seat: int, proof: str = "") -> str:
    """Remove a character from the table, as its owner, its player, or someone who runs the table. If a player had taken
    a prepared character, it first only becomes free for another player. Returns the sentence that says so.

    proof: the seat as the form's page showed it (`proof_of`). With it, repeating the form changes nothing; if someone
    else has sat down with the character since, Refused is raised and they keep it.
    """
    known, player, name = shown_by(proof)
    with changing(pk, person, SEE) as member:
        now = _seats(pk).filter(pk=seat).first()
        if known == seat and (now is None or (player and now.member is None)):
            return _freed(name, waits=now is not None)
        found = _seat(pk, seat)
        keeps = Character.objects.filter(owned_by(person), pk=found.character_id).exists()
        if not (keeps or found.member_id == member.pk or member.may(RUN)):
            raise Http404("No such seat.")
        if known == seat and found.member_id != player:
            raise Refused(f"Someone else plays {found.character} now. Nothing was done.")
        _end_waiting(pk, [found.character_id])
        lent = is_lent(found)
        if lent:
            _give(found, None)
        else:
            _delete(found)
        regrant(member.campaign)
    return _freed(str(found.character), waits=lent)


def _freed(name: str, *, waits: bool) -> str:
    return f"{name} is waiting for a player again." if waits else f"{name} is off the table."


def _end_waiting(campaign: int, characters: Collection[int]) -> None:
    """End what waits at this table for the players of these characters: the next player decides anew. From here on the
    characters are locked, so that nobody acts after the end of a sitting with the role that it gave."""
    forget_yes(campaign, characters)
    withdraw(characters, PartyAct.objects.filter(campaign=campaign, proposed=True).values("key"))


def _end_sitting(seat: Seat) -> datetime:
    """Keep the sitting that ends now, for the log of the table. Returns its end."""
    ended_at = max(timezone.now(), seat.began_at)  # a clock may have been put back
    Sitting.objects.create(
        campaign_id=seat.campaign_id,
        character_id=seat.character_id,
        member_id=seat.member_id,
        began_at=seat.began_at,
        ended_at=ended_at,
    )
    return ended_at


def _give(seat: Seat, member: Member | None) -> None:
    """From now on this member plays the character; with None, it waits for a player."""
    seat.began_at = _end_sitting(seat)
    seat.member = member
    seat.save(update_fields=["member", "began_at"])


def _delete(seat: Seat) -> None:
    """Delete a seat and the roles that it gave, and tell the people who had them, so that their open sheets close."""
    set_grants({seat.character_id: {}})
    announce("unseated", seat.character_id, seat.campaign_id)
    _end_sitting(seat)
    seat.delete()


def clear_seats_of(member: Member) -> None:
    """Clear the seats of a member who leaves. Their own characters leave too; prepared ones that they took wait for a
    player again."""
    theirs = Q(character__owner=member.user_id) if member.user_id else Q(character__guest=member.guest)
    left = _seats(member.campaign).filter(theirs | Q(member=member))
    _end_waiting(member.campaign_id, list(left.values_list("character", flat=True)))
    for seat in _seats(member.campaign).filter(theirs):
        _delete(seat)
    for seat in member.seats.all():
        _give(seat, None)
    regrant(member.campaign)


def regrant(campaign: Campaign) -> None:
    """Write everyone's role with each character at the table, from who sits there now. At a table in the bin nobody
    has any."""
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
    tell_followers(campaign.pk)


def _role(member: Member, seat: Seat) -> str:
    if seat.member_id == member.pk:
        return "player"
    if member.may(RUN):
        return "storyteller"
    return "party" if member.takes_part else "spectator"


def is_lent(seat: Seat) -> bool:
    """True if a player took this character from the storytellers, who still own it."""
    return seat.member is not None and not is_keeper(seat.member, seat.character)


def is_keeper(member: Member, character: Character) -> bool:
    """True if the character is this member's own."""
    if member.user_id is not None:
        return character.owner_id == member.user_id
    return character.guest == member.guest


def _seats(campaign: Campaign | int) -> QuerySet:
    return Seat.objects.filter(campaign=campaign).select_related("character", "member")


def _seat(pk: int, seat: int) -> Seat:
    return row_of(_seats(pk), seat)
