"""Conditions in an encounter: on a creature, or on the sheet of a character, until a turn comes."""

from django.db import transaction

from campaigns.models import Condition
from campaigns.order import order_of, round_after
from campaigns.verbs.turn_order import Table, among, at_encounter, end_on_sheet, one_of
from characters.change.journal import Refused, check_key
from characters.people import Person
from characters.read.party import versions_of

MOST_CONDITIONS = 30  # of one combatant


def hold(
    pk: int, person: Person, key: str, combatant: int, *, name: str, rounds: int | None, whose: int | None, at_end: bool
) -> None:
    """A condition on somebody: for so many rounds, counted at the start or the end of a turn, their own where no other
    is named; or until it is removed.

    A character's is one of its game, by its name, and stands on its sheet. A creature's is any name.
    """
    check_key(key)
    with transaction.atomic(durable=True):
        member, encounter = at_encounter(pk, person)
        order = order_of(encounter)
        found = among(order, combatant)
        if found.conditions.filter(key=key).exists():
            return
        if found.conditions.count() >= MOST_CONDITIONS:
            raise Refused(f"{found} has {MOST_CONDITIONS} conditions, and that is the most.", "name")
        clock = among(order, whose) if whose else found
        condition = Condition(combatant=found, key=key, name=name, at_end=at_end, whose=clock if rounds else None)
        if rounds:
            condition.round = round_after(encounter, clock.place, at_end=at_end, rounds=rounds)
        if found.seat is not None:
            _put_on_sheet(Table(member.campaign, person, key), condition)
        condition.save()


def _put_on_sheet(table: Table, condition: Condition) -> None:
    """A secret name is not written on a sheet."""
    character, whose = condition.combatant.seat.character, condition.whose
    known = whose is not None and not whose.hidden
    other = known and whose != condition.combatant
    when = f"the {'end' if condition.at_end else 'start'} of {whose}’s turn in round {condition.round}"
    until = when if known else f"round {condition.round}" if whose else ""
    named = {name.casefold(): (ref, name) for ref, name in versions_of([character])[character.pk].table.offered}
    if condition.name.casefold() not in named:
        raise Refused(f"{character} can have no “{condition.name}”. Choose one of the list.", "condition")
    condition.ref, condition.name = named[condition.name.casefold()]
    condition.source = str(whose)[:120] if other else ""
    sent = {"condition": condition.ref, "source": condition.source, "until": until[:120]}
    table.insist(character, "add_condition", sent, table.key)


def release(pk: int, person: Person, key: str, condition: int) -> None:
    """A condition is removed before its time, also from a character's sheet."""
    check_key(key)
    with transaction.atomic(durable=True):
        member, encounter = at_encounter(pk, person)
        found = one_of(Condition.objects.filter(combatant__encounter=encounter), condition)
        if found.ref:
            end_on_sheet(Table(member.campaign, person, key), found)
        found.delete()
