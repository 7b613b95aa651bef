"""The combatants of an encounter, and the creatures that a campaign knows."""

from django.db import transaction

from campaigns.campaign_access import RUN, locked
from campaigns.models import Combatant, Creature, Encounter
from campaigns.moved import moved
from campaigns.order import order_of
from campaigns.verbs.turn_order import at_encounter, one_of
from characters.change.journal import Refused, check_key
from characters.people import Person

MOST_COMBATANTS = 100
MOST_NUMBER = 1_000
MOST_CREATURES = 200


def bring_new(pk: int, person: Person, key: str, *, many: int, hidden: bool, **columns: object) -> Creature:
    """A kind of creature that this campaign does not know yet, and so many of it in the encounter."""
    check_key(key)
    with transaction.atomic(durable=True):
        member, encounter = at_encounter(pk, person)
        kinds = member.campaign.creatures
        creature = kinds.filter(key=key).first()
        if creature is None:
            if kinds.count() >= MOST_CREATURES:
                raise Refused(f"This campaign knows {MOST_CREATURES} creatures, and that is the most.", "name")
            creature = kinds.create(key=key, **columns)
        _bring(encounter, creature, key, many, hidden=hidden)
    return creature


def bring_again(pk: int, person: Person, key: str, creature: int, *, many: int, hidden: bool) -> Creature:
    """More of a kind that the campaign knows."""
    check_key(key)
    with transaction.atomic(durable=True):
        _, encounter = at_encounter(pk, person)
        found = one_of(encounter.campaign.creatures, creature)
        _bring(encounter, found, key, many, hidden=hidden)
    return found


def _bring(encounter: Encounter, creature: Creature, key: str, many: int, *, hidden: bool) -> None:
    order = order_of(encounter)
    if any(one.key == key and one.creature_id == creature.pk for one in order):
        return
    if len(order) + many > MOST_COMBATANTS:
        raise Refused(f"At most {MOST_COMBATANTS} take part.", "many")
    numbers = numbers_for({one.number for one in order if one.creature_id == creature.pk}, many)
    place = max((one.place for one in order), default=0)
    Combatant.objects.bulk_create(
        Combatant(encounter=encounter, creature=creature, number=number, place=place + at, key=key, hidden=hidden)
        for at, number in enumerate(numbers, 1)
    )


def numbers_for(taken: set[int], many: int) -> list[int]:
    """So many numbers for new ones of a kind: those after the highest, or the lowest that are free once these end."""
    above = range(max(taken, default=0) + 1, MOST_NUMBER + 1)
    free = above if len(above) >= many else [number for number in range(1, MOST_NUMBER + 1) if number not in taken]
    return list(free[:many])


def bring_seat(pk: int, person: Person, key: str, seat: int) -> None:
    """A character that sat down, or came back, after the encounter had begun."""
    check_key(key)
    with transaction.atomic(durable=True):
        _, encounter = at_encounter(pk, person)
        found, order = one_of(encounter.campaign.seats, seat), order_of(encounter)
        if not any(one.seat_id == found.pk for one in order):
            place = max((one.place for one in order), default=0) + 1
            encounter.combatants.create(seat=found, key=key, place=place)


def describe(pk: int, person: Person, creature: int, **columns: object) -> Creature:
    """Another name, other numbers, rolls or notes for a kind of creature; what each has lost stays."""
    with transaction.atomic(durable=True):
        found = one_of(locked(pk, person, RUN).campaign.creatures, creature)
        for column, value in columns.items():
            setattr(found, column, value)
        found.save(update_fields=list(columns))
        moved(pk)
    return found


def remove(pk: int, person: Person, combatant: int) -> None:
    """Out of the encounter. A turn that was its own is nobody's until it passes on."""
    with transaction.atomic(durable=True):
        _, encounter = at_encounter(pk, person)
        one_of(encounter.combatants, combatant).delete()


def show_or_hide(pk: int, person: Person, combatant: int, *, hidden: bool) -> None:
    with transaction.atomic(durable=True):
        _, encounter = at_encounter(pk, person)
        found = one_of(encounter.combatants, combatant)
        if found.creature_id is None:
            raise Refused("Only creatures can be hidden.")
        encounter.combatants.filter(pk=found.pk).update(hidden=hidden)
