"""Ends what several players have to agree to: done, declined or withdrawn, under the lock of their campaign."""

from collections.abc import Collection, Iterable

from django.utils import timezone

from campaigns.following import tell_followers
from campaigns.models import Agreement, Joint, Member, Pairing, PartyAct, Purchase, Seat, Share
from characters.actions.proposals import OVER
from characters.change.refusals import Refused


def is_done(found: Joint) -> bool:
    return PartyAct.objects.filter(campaign=found.campaign_id, key=found.act_key).exists()


def decline(found: Joint, member: Member) -> None:
    """This player's No, which changes no sheet. Repeating it changes nothing."""
    if found.withdrawn_at or is_done(found):
        raise Refused(OVER)
    if found.declined_at is None:
        found.declined_at, found.declined_by = timezone.now(), member
        found.save(update_fields=["declined_at", "declined_by"])
        tell_followers(found.campaign_id)


def withdraw(found: Joint) -> None:
    """Withdrawn before it was done. Repeating it changes nothing."""
    if found.declined_at or is_done(found):
        raise Refused(OVER)
    if found.withdrawn_at is None:
        found.withdrawn_at = timezone.now()
        found.save(update_fields=["withdrawn_at"])
        tell_followers(found.campaign_id)


def players_of(campaign: int, characters: Collection[int]) -> dict[int, Member]:
    """The present players of these characters, by the character's id, without those who no longer sit there."""
    seats = Seat.objects.filter(campaign=campaign, character__in=characters, character__binned_at=None)
    seats = seats.filter(member__gone_at=None).exclude(member=None)
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
    """The acts that did any of these, by their keys."""
    found = PartyAct.objects.filter(campaign=campaign, key__in=[one.act_key for one in asked])
    return {act.key: act for act in found.select_related("inverted_by__inverted_by")}


def undone(act: PartyAct) -> bool:
    """True if the act was undone, and not done again."""
    back = False
    while act.inverted:
        act, back = act.inverted_by, not back
    return back
