"""The combatants of an encounter: creatures and characters are brought, numbered, hidden, shown and removed."""

from collections.abc import Iterable, Sequence
from operator import attrgetter

from campaigns.campaign_access import row_of
from campaigns.models import Combatant, Creature, Encounter
from campaigns.order import last_place, names_of, order_of
from campaigns.verbs.turn_order import among, at_encounter, made_by
from characters.change.arguments import fingerprint_of
from characters.change.refusals import Refused
from characters.people import Person
from rules.games.outcome import listed

MOST_COMBATANTS = 100
MOST_NUMBER = 1_000


def bring_creatures(pk: int, person: Person, key: str, creature: int, *, many: int, hidden: bool) -> str:
    """Add more of a kind of creature to the encounter. Returns a sentence that names the creatures with new numbers; ""
    if there are none."""
    with at_encounter(pk, person, key=key) as (_, encounter):
        return place_creatures(encounter, row_of(encounter.campaign.creatures, creature), key, many=many, hidden=hidden)


def place_creatures(encounter: Encounter, creature: Creature, key: str, *, many: int, hidden: bool) -> str:
    """The same, with the campaign locked already."""
    fingerprint = fingerprint_of(many=many, hidden=hidden)
    if made_by(encounter.combatants.filter(creature=creature), key, fingerprint):
        return ""
    if creature.archived_at:
        raise Refused(f"{creature} is in the archive. Take it out first.")
    order = order_of(encounter)
    if len(order) + many > MOST_COMBATANTS:
        raise Refused(f"At most {MOST_COMBATANTS} can take part.", "many")
    place = last_place(encounter, order)
    new = [
        Combatant(
            encounter=encounter, creature=creature, place=place + at, key=key, fingerprint=fingerprint, hidden=hidden
        )
        for at in range(1, many + 1)
    ]
    kind = [one for one in order if one.creature_id == creature.pk]
    numbered = _number_creatures(kind, new, keep_to=_last_seen(kind))
    Combatant.objects.bulk_create(new)
    return numbered


def _last_seen(kind: Iterable[Combatant]) -> int:
    """The highest number that players see; 0 if they see none."""
    return max((one.number for one in kind if not one.hidden), default=0)


def _number_creatures(others: Sequence[Combatant], coming: Sequence[Combatant], *, keep_to: int) -> str:
    """Number the `coming` creatures of a kind. The others keep their numbers up to `keep_to` and get new ones above it:
    first those that players see, then the hidden ones. So no number that players read gives a hidden one away. Returns
    a sentence for the storyteller that names the creatures with new numbers; "" if there are none."""
    kept = {one.number for one in others if one.number <= keep_to}
    above = sorted((one for one in others if one.number > keep_to), key=attrgetter("number"))
    anew = sorted([*above, *coming], key=attrgetter("hidden"))
    former = {one: str(one) for one in anew if one.pk}
    wanted = numbers_for(kept, len(anew))
    unused = numbers_for({*kept, *wanted, *(one.number for one in anew)}, len(anew))
    # A number occurs once (combatant_number_once), and rows of one update may swap theirs. So all first get numbers
    # that are neither old nor new.
    for numbers in (unused, wanted):
        for one, number in zip(anew, numbers, strict=True):
            one.number = number
        Combatant.objects.bulk_update(former, ["number"])
    moved = [f"{name} is {one} now" for one, name in former.items() if str(one) != name]
    return f"{listed(moved)}." if moved else ""


def numbers_for(taken: set[int], many: int) -> list[int]:
    """This many numbers for new creatures of a kind: those after the highest, or the lowest free ones when these run
    out."""
    above = range(max(taken, default=0) + 1, MOST_NUMBER + 1)
    free = above if len(above) >= many else [number for number in range(1, MOST_NUMBER + 1) if number not in taken]
    return list(free[:many])


def bring_seat(pk: int, person: Person, key: str, seat: int) -> None:
    """Add a character that sat down, or came back, after the encounter began."""
    with at_encounter(pk, person, key=key) as (_, encounter):
        found, order = row_of(encounter.campaign.seats.filter(character__binned_at=None), seat), order_of(encounter)
        if not any(one.seat_id == found.pk for one in order):
            encounter.combatants.create(seat=found, key=key, place=last_place(encounter, order) + 1)


def remove(pk: int, person: Person, combatant: int) -> str:
    """Remove a combatant from the encounter. If it had the turn, nobody has it until it is passed on. Returns the
    sentence that says so. Repeating it changes nothing."""
    with at_encounter(pk, person) as (_, encounter):
        name = names_of(order_of(encounter), hidden=True).get(combatant)
        encounter.combatants.filter(pk=combatant).delete()
        return f"{name or 'It'} is out of the encounter."


def show_or_hide(pk: int, person: Person, combatant: int, *, hidden: bool) -> str:
    """Hide a creature from players, or show it. Returns the sentence that says so and names the creatures with new
    numbers."""
    with at_encounter(pk, person) as (_, encounter):
        order = order_of(encounter)
        found = among(order, combatant)
        if found.creature_id is None:
            raise Refused("Only creatures can be hidden.")
        numbered = ""
        if found.hidden != hidden:
            found.hidden = hidden
            found.save(update_fields=["hidden"])
            others = [one for one in order if one.creature_id == found.creature_id and one != found]
            last_seen = _last_seen(others)
            if not hidden and found.number > last_seen:
                numbered = _number_creatures(others, [found], keep_to=last_seen)
            elif hidden and not encounter.round:  # players have not seen the order yet
                numbered = _number_creatures(others, [found], keep_to=found.number - 1)
        name = names_of(order, hidden=True)[found.pk]
        return f"{name} is {'hidden' if hidden else 'shown'}. {numbered}".strip()
