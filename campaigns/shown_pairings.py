"""The relationships of a table as its page shows them: as many queries for many as for one."""

from campaigns.joint_page import AgreeingSide, Shown, side_of
from campaigns.models import Member, Pairing
from campaigns.roles import RUN
from campaigns.verbs.agreements import acts_by_key, players_of
from characters.models import Character


def pairings_of(member: Member) -> list[Shown[Pairing]]:
    """The relationships that this member may read, the newest first: all for those who run the table, else those of
    their characters."""
    found = Pairing.objects.filter(campaign=member.campaign_id, withdrawn_at=None).order_by("-pk")
    pairings = list(found.select_related("first", "second", "declined_by").prefetch_related("agreements"))
    players = players_of(member.campaign_id, [pk for one in pairings for pk in (one.first_id, one.second_id)])
    acts = acts_by_key(member.campaign_id, pairings)

    def shown(pairing: Pairing) -> Shown[Pairing]:
        said: dict[int, set[int]] = {}
        for one in pairing.agreements.all():
            said.setdefault(one.character_id, set()).add(one.by_id)

        def side(character: Character) -> AgreeingSide:
            return side_of(character, players.get(character.pk), said.get(character.pk, set()), member)

        return Shown(pairing, (side(pairing.first), side(pairing.second)), acts.get(pairing.act_key))

    runs = member.may(RUN)
    return [one for one in map(shown, pairings) if runs or any(side.mine for side in one.sides)]
