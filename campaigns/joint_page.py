"""Shared by the pages of relationships and of purchases: who has agreed, and the result."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from campaigns.models import Joint, Member, PartyAct
from campaigns.verbs.agreements import undone
from characters.models import Character


@dataclass(frozen=True)
class AgreeingSide:
    """One of the characters, its player (None if it no longer sits here), and whether they agreed."""

    character: Character
    player: Member | None
    agreed: bool
    mine: bool


@dataclass(frozen=True)
class Shown[A: Joint]:
    """Something that was proposed. act: the act that carried it out; None if it is not done."""

    asked: A
    sides: tuple[AgreeingSide, ...]
    act: PartyAct | None

    @property
    def stands(self) -> bool:
        return self.act is not None and not undone(self.act)

    @property
    def waits(self) -> bool:
        return self.act is None and not self.asked.over

    @property
    def goes_on(self) -> bool:
        """True while all of them sit at the table, so that all may still answer."""
        return all(side.player for side in self.sides)

    @property
    def undo(self) -> PartyAct | None:
        """The act, if nobody has undone it."""
        return self.act if self.act and not self.act.inverted else None

    @property
    def agreed(self) -> bool:
        """True if the reader has said yes for a character that they play."""
        return any(side.mine and side.agreed for side in self.sides)

    @property
    def mine(self) -> list[AgreeingSide]:
        """The sides for which the reader still has to answer."""
        return [side for side in self.sides if side.mine and not side.agreed] if self.waits and self.goes_on else []


def sides_of(
    asked: Joint, characters: Iterable[Character], players: Mapping[int, Member], reader: Member
) -> tuple[AgreeingSide, ...]:
    agreed = asked.agreed()

    def side(character: Character) -> AgreeingSide:
        player = players.get(character.pk)
        said = player is not None and player.pk == agreed[character.pk]
        return AgreeingSide(character, player, said, player == reader)

    return tuple(map(side, characters))
