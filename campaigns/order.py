"""The order of an encounter: the next turn, and the time that conditions last. All of it is computed from places."""

from collections import Counter
from collections.abc import Iterable, Sequence

from campaigns.models import Campaign, Combatant, Condition, Encounter
from campaigns.models.encounter import HIGHEST
from campaigns.names_apart import names_apart
from rules.fast_sql import PLACEHOLDERS, PreparedObjects

type Order = Sequence[Combatant]
START, DURING, END = range(3)  # of a turn
EVERYBODY = PreparedObjects(
    lambda encounter: Combatant.objects.filter(encounter=encounter).select_related(
        "creature", "seat__character__ruleset", "seat__member"
    ),
    PLACEHOLDERS[0],
)


def encounter_of(campaign: Campaign) -> Encounter | None:
    """The encounter that is being prepared or played."""
    return campaign.encounters.filter(ended_at=None).first()


def order_of(encounter: Encounter) -> list[Combatant]:
    """Everyone in the encounter, in their order."""
    return EVERYBODY.all(encounter.pk)


def names_of(combatants: Iterable[Combatant], *, hidden: bool) -> dict[int, str]:
    """Names by the combatants' ids, for a reader who sees the `hidden` ones or does not. A creature has its number if
    the reader sees several of its kind, a character its player if two have the same name."""
    seen = [one for one in combatants if hidden or not one.hidden]
    kinds = Counter((one.encounter_id, one.creature_id) for one in seen)
    alone = {one.pk for one in seen if one.creature and kinds[one.encounter_id, one.creature_id] == 1}
    characters = names_apart(one.seat for one in seen if one.seat)
    return {
        one.pk: characters[one.seat.character_id] if one.seat else str(one.creature if one.pk in alone else one)
        for one in seen
    }


def whose_turn(encounter: Encounter, order: Order) -> Combatant | None:
    return next((one for one in order if encounter.round and one.place == encounter.place), None)


def last_place(encounter: Encounter, order: Order) -> int:
    """The last place that is taken, perhaps only by the turn of a combatant that has left."""
    return max([encounter.place, *(one.place for one in order)])


def takes_turns(one: Combatant) -> bool:
    """False for creatures that are down and characters that are away: they are passed over."""
    return not one.is_down and not one.is_away


def following(encounter: Encounter, order: Order) -> tuple[int, int] | None:
    """Round and place of the next turn; None if nobody can have one."""
    taking = [one.place for one in order if takes_turns(one)]
    if not taking:
        return None
    later = [place for place in taking if encounter.round and place > encounter.place]
    return (encounter.round, later[0]) if later else (encounter.round + 1, taking[0])


def preceding(encounter: Encounter, order: Order) -> tuple[int, int]:
    """Round and place of the turn before this one; round 0 before the first."""
    taking = [one.place for one in order if takes_turns(one)]
    earlier = [place for place in taking if place < encounter.place]
    if earlier:
        return encounter.round, earlier[-1]
    return (encounter.round - 1, taking[-1]) if encounter.round > 1 and taking else (0, 0)


def is_over(condition: Condition, encounter: Encounter, order: Order) -> bool:
    """True once its moment has come. If the turn is taken back, the condition holds again."""
    if not condition.round:
        return False
    return _moment(condition.round, _place(condition, order), at_end=condition.at_end) <= _now(encounter)


def rounds_left(condition: Condition, encounter: Encounter, order: Order) -> int:
    """The number of times that its moment in the round still has to come before the condition ends."""
    ahead = _is_ahead(encounter, _place(condition, order), at_end=condition.at_end)
    return condition.round - encounter.round + ahead


def round_after(encounter: Encounter, place: int, *, at_end: bool, rounds: int) -> int:
    """The last round of something that lasts this many rounds from now, counted at the turn of this place."""
    return encounter.round + rounds - _is_ahead(encounter, place, at_end=at_end)


def _place(condition: Condition, order: Order) -> int:
    """The place of its turn; after all others if the combatant with that turn has left."""
    return next((one.place for one in order if one.pk == condition.whose_id), HIGHEST)


def _is_ahead(encounter: Encounter, place: int, *, at_end: bool) -> bool:
    """True if this moment is still to come in the present round."""
    return encounter.round > 0 and _moment(encounter.round, place, at_end=at_end) > _now(encounter)


def _moment(round: int, place: int, *, at_end: bool) -> tuple[int, int, int]:
    return round, place, END if at_end else START


def _now(encounter: Encounter) -> tuple[int, int, int]:
    return encounter.round, encounter.place, DURING
