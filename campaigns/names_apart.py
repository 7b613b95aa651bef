"""The names of the characters at a table, told apart if several are the same."""

from collections import Counter
from collections.abc import Iterable

from campaigns.models import Campaign, Member
from characters.models import Character


def names_apart(seated: Iterable[tuple[Character, Member | None]]) -> dict[int, str]:
    """Names by the characters' ids. If another one here has the same name, the player is added: `Ilien of the Reeds
    (Cid)`."""
    seated = list(seated)
    many = Counter(str(one) for one, _ in seated)
    return {one.pk: f"{one} ({player})" if player and many[str(one)] > 1 else str(one) for one, player in seated}


def names_at(campaign: Campaign) -> dict[int, str]:
    return names_apart((one.character, one.member) for one in campaign.seats.select_related("character", "member"))
