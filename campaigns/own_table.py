"""The table where a character of one's own sits, as its sheet shows it: the encounter there, and whose turn it is."""

from typing import Any

from campaigns.models import Encounter
from campaigns.notifications import OwnSeat
from campaigns.order import order_of, whose_turn


def own_table(seat: OwnSeat) -> dict[str, Any]:
    """`now` is the one whose turn it is, `mine` true if that is this character. One query where an encounter is on."""
    if seat.encounter is None:
        return {"seat": seat}
    encounter = Encounter(pk=seat.encounter, round=seat.round, place=seat.place)
    now = whose_turn(encounter, order_of(encounter)) if seat.round else None
    mine = now is not None and now.seat is not None and now.seat.character_id == seat.character
    return {"seat": seat, "now": now, "mine": mine}
