"""The relationships of a table as its page shows them, in as many queries for many as for one."""

from collections.abc import Iterable
from dataclasses import dataclass

from campaigns.campaign_access import MAY, RUN
from campaigns.models import Member, Pairing, PartyAct, Seat
from campaigns.verbs.pairings import undone
from characters.models import Character


@dataclass(frozen=True)
class Side:
    """One of the two, with who plays it now (None where it no longer sits here), and whether they agreed."""

    character: Character
    player: Member | None
    agreed: bool
    mine: bool


@dataclass(frozen=True)
class Shown:
    """A relationship that was proposed, and what has come of it. act: what put it on both sheets."""

    pairing: Pairing
    sides: tuple[Side, Side]
    act: PartyAct | None

    @property
    def stands(self) -> bool:
        return self.act is not None and not undone(self.act)

    @property
    def waits(self) -> bool:
        return self.act is None and not self.pairing.over

    @property
    def goes_on(self) -> bool:
        """True as long as both sit at the table, so that both may still answer."""
        return all(side.player for side in self.sides)

    @property
    def undo(self) -> PartyAct | None:
        """The act, as long as nobody has undone it."""
        return self.act if self.act and not hasattr(self.act, "inverted_by") else None

    @property
    def mine(self) -> list[Side]:
        """The sides for which the reader still has to answer."""
        return [side for side in self.sides if side.mine and not side.agreed] if self.waits and self.goes_on else []


def shown_to(member: Member) -> list[Shown]:
    """Those that this member may read, the newest first: all for who runs the table, else those of their characters."""
    found = Pairing.objects.filter(campaign=member.campaign_id, withdrawn_at=None).order_by("-pk")
    pairings = list(found.select_related("first", "second", "declined_by").prefetch_related("agreements"))
    seats = Seat.objects.filter(campaign=member.campaign_id, member__gone_at=None, character__binned_at=None)
    players = {one.character_id: one.member for one in seats.exclude(member=None).select_related("member")}
    keys = [one.act_key for one in pairings]
    acts = PartyAct.objects.filter(campaign=member.campaign_id, key__in=keys).select_related("inverted_by__inverted_by")
    by_key = {act.key: act for act in acts}

    def side(pairing: Pairing, character: Character) -> Side:
        player = players.get(character.pk)
        said = {(one.character_id, one.by_id) for one in pairing.agreements.all()}
        agreed = player is not None and (character.pk, player.pk) in said
        return Side(character, player, agreed, player == member)

    shown = [Shown(one, (side(one, one.first), side(one, one.second)), by_key.get(one.act_key)) for one in pairings]
    runs = RUN in MAY[member.role]
    return [one for one in shown if runs or any(side.mine for side in one.sides)]


def to_answer(shown: Iterable[Shown]) -> int:
    """The number of those that wait for the reader's own word."""
    return sum(len(one.mine) for one in shown)
