"""The purchases of a table as its page shows them."""

from collections.abc import Iterable
from dataclasses import dataclass

from campaigns.models import Campaign, Member, PartyAct, Purchase, Share
from campaigns.verbs.pairings import undone
from campaigns.verbs.purchases import open_at, players_of, pooled
from characters.change.journal import Refused, RefusedForSome
from characters.models import Character
from characters.people import Person

MOST = 20


@dataclass(frozen=True)
class Side:
    """One who joins, with who plays it now (None where it no longer sits here), and whether they agreed."""

    character: Character
    player: Member | None
    agreed: bool
    mine: bool


@dataclass(frozen=True)
class Shown:
    """A purchase and what has come of it. words: as it would be or was; refused: why it cannot be as things stand."""

    purchase: Purchase
    sides: tuple[Side, ...]
    act: PartyAct | None
    words: str
    refused: tuple[str, ...]

    @property
    def waits(self) -> bool:
        return self.act is None and not self.purchase.over

    @property
    def stands(self) -> bool:
        return self.act is not None and not undone(self.act)

    @property
    def undo(self) -> PartyAct | None:
        """The act, as long as nobody has undone it."""
        return self.act if self.act and not hasattr(self.act, "inverted_by") else None

    @property
    def mine(self) -> list[Side]:
        """The sides for which the reader still has to answer."""
        return [side for side in self.sides if side.mine and not side.agreed] if self.waits else []


def purchases_of(campaign: Campaign, member: Member, person: Person) -> list[Shown]:
    """The newest, those that were withdrawn left out; what waits is worked out by the sheets as they are."""
    found = Purchase.objects.filter(campaign=campaign, withdrawn_at=None).select_related(
        "buyer__ruleset", "declined_by"
    )
    purchases = list(found.prefetch_related("shares__character__ruleset")[:MOST])
    keys = [one.act_key for one in purchases]
    acts = PartyAct.objects.filter(campaign=campaign, key__in=keys).select_related("inverted_by__inverted_by")
    by_key = {act.key: act for act in acts}
    players = players_of(campaign, [share.character_id for one in purchases for share in one.shares.all()])

    def shown(one: Purchase) -> Shown:
        shares, act = list(one.shares.all()), by_key.get(one.act_key)
        sides = [_side(share, players.get(share.character_id), member) for share in shares]
        words, refused = (act.sentence, ()) if act else _ahead(one, shares, person)
        return Shown(one, tuple(sides), act, words, refused)

    return [shown(one) for one in purchases]


def to_answer(member: Member) -> int:
    """The number of purchases that wait for this player's word."""
    mine = Share.objects.filter(purchase__campaign=member.campaign_id, character__seat__member=member)
    mine = mine.exclude(agreed=member).filter(purchase__declined_at=None, purchase__withdrawn_at=None)
    numbers = set(mine.values_list("purchase", flat=True))
    return len(numbers & {one.pk for one in open_at(member.campaign_id)}) if numbers else 0


def refusals_of(refused: Refused, characters: Iterable[Character]) -> tuple[str, ...]:
    """A refusal in sentences; of several characters each with its name."""
    if not isinstance(refused, RefusedForSome):
        return (refused.sentence,)
    names = {one.pk: str(one) for one in characters}
    return tuple(f"{names[pk]}: {no.sentence}" for pk, no in refused.refusals.items())


def _side(share: Share, player: Member | None, member: Member) -> Side:
    agreed = player is not None and share.agreed_id == player.pk
    return Side(share.character, player, agreed, player == member)


def _ahead(purchase: Purchase, shares: list[Share], person: Person) -> tuple[str, tuple[str, ...]]:
    characters = sorted((one.character for one in shares), key=lambda one: one.pk != purchase.buyer_id)
    try:
        ahead = pooled(characters).ahead(purchase.ref, purchase.quantity, person)
    except Refused as refused:
        return str(purchase), refusals_of(refused, characters)
    return ahead.sentence or str(purchase), (ahead.refused,) if ahead.refused else ()
