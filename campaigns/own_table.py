"""The table where one of the reader's characters sits, as its sheet shows it: the encounter there, and whose turn it
is."""

from typing import Any

from campaigns.models import Encounter
from campaigns.notifications import OwnSeat
from campaigns.order import names_of, order_of, whose_turn


def own_table(seat: OwnSeat) -> dict[str, Any]:
    """`now` is the name of whoever has the turn, "" if nobody has; `mine` is true if it is this character. One query if
    an encounter is on."""
    if seat.encounter is None:
        return {"seat": seat}
    encounter = Encounter(pk=seat.encounter, round=seat.round, place=seat.place)
    order = order_of(encounter) if seat.round else []
    now = whose_turn(encounter, order)
    if now is None or now.is_away:
        return {"seat": seat, "now": ""}
    mine = now.seat is not None and now.seat.character_id == seat.character
    return {"seat": seat, "now": names_of(order, hidden=False).get(now.pk, "Your storyteller"), "mine": mine}
