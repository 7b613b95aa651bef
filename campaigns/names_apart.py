"""The names of characters, told apart if several are the same."""

from collections import Counter
from collections.abc import Iterable

from django.utils.formats import date_format
from django.utils.timezone import localtime

from campaigns.models import Campaign, Seat
from characters.models import Character


def names_apart(seats: Iterable[Seat]) -> dict[int, str]:
    """Names by the characters' ids. If another one here has the same name, the player is added: `Ilien of the Reeds
    (Cid)`."""
    players = {one.character: one.member for one in seats}
    many = Counter(map(str, players))
    return {
        one.pk: f"{one} ({player})" if player and many[str(one)] > 1 else str(one) for one, player in players.items()
    }


def names_at(campaign: Campaign) -> dict[int, str]:
    return names_apart(campaign.seats.select_related("character", "member"))


def own_names_apart(own: Iterable[Character]) -> list[tuple[Character, str]]:
    """One person's characters with their names. Of several with the same name, each says when it was made."""
    own = list(own)
    many = Counter(str(one) for one in own)
    return [(one, f"{one}, made {_moment(one)}" if many[str(one)] > 1 else str(one)) for one in own]


def _moment(one: Character) -> str:
    return date_format(localtime(one.created_at), "j F Y, H:i")
