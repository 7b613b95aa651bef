"""Pairings and purchases, which need the agreement of several players: answered, done, declined or withdrawn."""

from collections.abc import Callable, Collection, Iterable

from django.http import Http404
from django.utils import timezone

from campaigns.campaign_access import changing, row_of
from campaigns.following import tell_followers
from campaigns.models import Agreement, Joint, Member, Pairing, PartyAct, Purchase, Seat, Share
from campaigns.roles import RUN, SEE
from characters.actions.proposals import OVER
from characters.change.refusals import Refused
from characters.people import Person


def is_done(found: Joint) -> bool:
    return PartyAct.objects.filter(campaign=found.campaign_id, key=found.act_key).exists()


def joint_of[J: Joint](kind: type[J], campaign: int, joint: int) -> J:
    found: J = row_of(kind._default_manager.filter(campaign=campaign), joint)
    return found


def answered_by[J: Pairing | Purchase](kind: type[J], member: Member, joint: int, character: int) -> J:
    """The pairing or purchase that this member answers for a character; Http404 if they do not play the character, or
    it has no part in this."""
    found = joint_of(kind, member.campaign_id, joint)
    if players_of(member.campaign_id, found.agreed()).get(character) != member:
        raise Http404("No such character of yours.")
    return found


def agree(found: Pairing | Purchase, member: Member, character: int, carry_out: Callable[[], object]) -> bool:
    """Store this player's Yes, with the campaign locked; the last Yes calls `carry_out`. Returns True if it is done
    now. Repeating it changes nothing."""
    if is_done(found):
        return True
    if found.over:
        raise Refused(OVER)
    found.agree(member, character)
    agreed = found.agreed()
    players = players_of(found.campaign_id, agreed)
    if len(players) < len(agreed):
        raise Refused("One of them no longer sits at this table.")
    everyone = agreed == {one: player.pk for one, player in players.items()}
    if everyone:
        carry_out()
    tell_followers(found.campaign_id)
    return everyone


def decline(kind: type[Pairing | Purchase], pk: int, person: Person, joint: int, character: int) -> None:
    """Say no for the person's own character, which changes no sheet. Repeating it changes nothing."""
    with changing(pk, person, SEE) as member:
        found = answered_by(kind, member, joint, character)
        if found.withdrawn_at or is_done(found):
            raise Refused(OVER)
        if found.declined_at is None:
            found.declined_at, found.declined_by = timezone.now(), member
            found.save(update_fields=["declined_at", "declined_by"])
            tell_followers(pk)


def withdraw(kind: type[Joint], pk: int, person: Person, joint: int) -> None:
    """Withdraw the person's own proposal before it is done or, as someone who runs the table, anyone's. Repeating it
    changes nothing."""
    with changing(pk, person, SEE) as member:
        found = joint_of(kind, pk, joint)
        if found.by_id != member.pk and not member.may(RUN):
            raise Http404("No such pairing or purchase of yours.")
        if found.declined_at or is_done(found):
            raise Refused(OVER)
        if found.withdrawn_at is None:
            found.withdrawn_at = timezone.now()
            found.save(update_fields=["withdrawn_at"])
            tell_followers(pk)


def players_of(campaign: int, characters: Collection[int]) -> dict[int, Member]:
    """The present players of these characters, by the character's id, without those who no longer sit there."""
    seats = Seat.objects.filter(campaign=campaign, character__in=characters, character__binned_at=None)
    return {one.character_id: one.member for one in seats.select_related("member") if one.member}


def forget_yes(campaign: int, characters: Collection[int]) -> None:
    """Delete each Yes to something open by the former players of these characters: the next player decides."""
    pairings = Pairing.objects.filter(campaign=campaign, agreements__character__in=characters).distinct()
    Agreement.objects.filter(pairing__in=not_done(campaign, pairings), character__in=characters).delete()
    purchases = Purchase.objects.filter(campaign=campaign, shares__character__in=characters).distinct()
    Share.objects.filter(purchase__in=not_done(campaign, purchases), character__in=characters).update(agreed=None)


def not_done(campaign: int, asked: Iterable[Joint]) -> list[Joint]:
    asked = list(asked)
    done = acts_by_key(campaign, asked)
    return [one for one in asked if one.act_key not in done]


def acts_by_key(campaign: int, asked: Collection[Joint]) -> dict[str, PartyAct]:
    """The acts that carried out any of these, by their keys."""
    found = PartyAct.objects.filter(campaign=campaign, key__in=[one.act_key for one in asked])
    return {act.key: act for act in found.select_related("inverted_by__inverted_by")}


def undone(act: PartyAct) -> bool:
    """True if the act was undone, and not done again."""
    back = False
    while act.inverted:
        act, back = act.inverted_by, not back
    return back
