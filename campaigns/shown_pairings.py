"""The relationships of a table as its page shows them, in a fixed number of queries."""

from campaigns.joint_page import Shown, sides_of
from campaigns.models import Member, Pairing
from campaigns.roles import RUN
from campaigns.verbs.agreements import acts_by_key, players_of


def pairings_of(member: Member) -> list[Shown[Pairing]]:
    """The relationships that this member may read, the newest first: all of them for someone who runs the table,
    otherwise those of the member's own characters."""
    found = Pairing.objects.filter(campaign=member.campaign_id, withdrawn_at=None).order_by("-pk")
    pairings = list(found.select_related("first", "second", "declined_by").prefetch_related("agreements"))
    players = players_of(member.campaign_id, [pk for one in pairings for pk in (one.first_id, one.second_id)])
    acts = acts_by_key(member.campaign_id, pairings)

    def shown(pairing: Pairing) -> Shown[Pairing]:
        sides = sides_of(pairing, (pairing.first, pairing.second), players, member)
        return Shown(pairing, sides, acts.get(pairing.act_key))

    runs = member.may(RUN)
    return [one for one in map(shown, pairings) if runs or any(side.mine for side in one.sides)]
