"""The purchases of a table as its page shows them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.db.models import BigIntegerField, Exists, OuterRef, QuerySet
from django.db.models.fields.json import KT
from django.db.models.functions import Cast

from campaigns.campaign_access import present_memberships
from campaigns.joint_page import Shown, sides_of
from campaigns.models import Member, PartyAct, Purchase, Seat, Share
from campaigns.verbs.agreements import acts_by_key, players_of
from campaigns.verbs.purchases import BUY, Pooled
from characters.change.refusals import Refused, RefusedForSome
from characters.models import Character
from characters.people import Person
from characters.read.party import versions_of
from characters.read.versions import Version

MOST = 20


@dataclass(frozen=True)
class ShownPurchase(Shown[Purchase]):
    """words: the purchase as it was, or as it would be now; refused: why it cannot be made now."""

    words: str
    refused: tuple[str, ...]


def purchases_of(member: Member, person: Person) -> list[ShownPurchase]:
    """The newest purchases, without those withdrawn. Those that wait are worked out from the sheets as they are now."""
    pk = member.campaign_id
    found = Purchase.objects.filter(campaign=pk, withdrawn_at=None).select_related("buyer__ruleset", "declined_by")
    purchases = list(found.prefetch_related("shares__character__ruleset")[:MOST])
    acts = acts_by_key(pk, purchases)
    players = players_of(pk, [share.character_id for one in purchases for share in one.shares.all()])
    versions = versions_of(
        {share.character for one in purchases if one.act_key not in acts for share in one.shares.all()}
    )

    def shown(one: Purchase) -> ShownPurchase:
        shares, act = list(one.shares.all()), acts.get(one.act_key)
        sides = sides_of(one, [share.character for share in shares], players, member)
        words, refused = (act.sentence, ()) if act else _ahead(one, shares, versions, person)
        return ShownPurchase(one, sides, act, words, refused)

    return [shown(one) for one in purchases]


def waiting_for(person: Person) -> QuerySet:
    """The purchases that wait for this person's Yes, at tables where every joining character is played."""
    seats = Seat.objects.filter(
        campaign=OuterRef("purchase__campaign"),
        character=OuterRef("character"),
        character__binned_at=None,
        member__isnull=False,
    )
    shares = Share.objects.filter(purchase=OuterRef("pk"))
    unsaid = shares.filter(
        Exists(seats.filter(member__in=present_memberships(person))), ~Exists(seats.filter(member=OuterRef("agreed")))
    )
    acts = PartyAct.objects.filter(campaign=OuterRef("campaign"), verb=BUY)
    bought = acts.annotate(of=Cast(KT("what__purchase"), BigIntegerField())).filter(of=OuterRef("pk"))
    return Purchase.objects.filter(
        Exists(unsaid),
        ~Exists(shares.filter(~Exists(seats))),
        ~Exists(bought),
        declined_at=None,
        withdrawn_at=None,
        campaign__binned_at=None,
    )


def refusals_of(refused: Refused, characters: Iterable[Character]) -> tuple[str, ...]:
    """A refusal in sentences; if several characters refuse, each with its name."""
    if not isinstance(refused, RefusedForSome):
        return (refused.sentence,)
    names = {one.pk: str(one) for one in characters}
    return tuple(f"{names[pk]}: {no.sentence}" for pk, no in refused.refusals.items())


def _ahead(
    purchase: Purchase, shares: list[Share], versions: Mapping[int, Version], person: Person
) -> tuple[str, tuple[str, ...]]:
    characters = sorted((one.character for one in shares), key=lambda one: one.pk != purchase.buyer_id)
    try:
        ahead = Pooled(tuple(characters), versions).ahead(purchase.ref, purchase.quantity, person)
    except Refused as refused:
        return str(purchase), refusals_of(refused, characters)
    return ahead.sentence or str(purchase), (ahead.refused,) if ahead.refused else ()
