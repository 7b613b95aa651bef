"""The table where one of the reader's characters sits, as its sheet shows it: the encounter there, and whose turn it
is."""

from typing import Any

from campaigns.models import Encounter
from campaigns.notifications import OwnSeat
from campaigns.order import names_of, order_of, whose_turn
from rules.games import GAMES


def own_table(seat: OwnSeat) -> dict[str, Any]:
    """`own` is this character in the order, None if it is not in the encounter; `order` is its game's word for the
    number that decides its place, and `to_roll` is true if it has yet to roll it. `now` names the combatant that has
    the turn, "" if none has; `mine` is true if it is this character. One query if an encounter is on."""
    if seat.encounter is None:
        return {"seat": seat}
    encounter = Encounter(pk=seat.encounter, round=seat.round, place=seat.place)
    order = order_of(encounter)
    own = next((one for one in order if one.seat and one.seat.character_id == seat.character), None)
    rules = GAMES[own.seat.character.ruleset.game].encounter if own else None
    to_roll = bool(own and rules and rules.INITIATIVE and own.initiative is None)
    found = {"seat": seat, "own": own, "order": rules.ORDER if rules else "", "to_roll": to_roll}
    now = whose_turn(encounter, order)
    if now is None or now.is_away:
        return found | {"now": ""}
    return found | {"now": names_of(order, hidden=False).get(now.pk, "Your storyteller"), "mine": now is own}
