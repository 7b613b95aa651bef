"""Conditions in an encounter: on a creature, or on the sheet of a character, until a certain turn."""

from collections.abc import Mapping

from campaigns.models import Combatant, Condition, Encounter
from campaigns.order import Order, is_over, names_of, order_of, round_after
from campaigns.verbs.turn_order import AtTable, among, at_encounter, end_on_sheet, made_by
from characters.change.arguments import fingerprint_of
from characters.change.refusals import Refused
from characters.people import Person
from characters.read.party import versions_of

MOST_CONDITIONS = 30  # of one combatant, ended ones included


def add(
    pk: int, person: Person, key: str, combatant: int, *, name: str, rounds: int | None, whose: int | None, at_end: bool
) -> None:
    """Put a condition on a combatant: for this many rounds, counted at the start or the end of the turn of `whose` (by
    default its own), or without rounds until it is removed.

    A character's condition is one of its game, by its name, and goes on its sheet. A creature's may have any name.
    """
    with at_encounter(pk, person, key=key) as (member, encounter):
        order = order_of(encounter)
        found = among(order, combatant)
        fingerprint = fingerprint_of(combatant=combatant, name=name, rounds=rounds, whose=whose, at_end=at_end)
        if made_by(Condition.objects.filter(combatant__encounter=encounter), key, fingerprint):
            return
        _make_room(encounter, order, found)
        clock = among(order, whose) if whose else found
        condition = Condition(combatant=found, key=key, fingerprint=fingerprint, name=name, at_end=at_end)
        condition.whose = clock if rounds else None
        if rounds:
            condition.round = round_after(encounter, clock.place, at_end=at_end, rounds=rounds)
        if found.seat is not None:
            _put_on_sheet(AtTable(member.campaign, person, key), condition, names_of(order, hidden=False))
            earlier = found.conditions.filter(ref=condition.ref, source=condition.source)
            stale = [one.pk for one in earlier if not is_over(one, encounter, order)]
            found.conditions.filter(pk__in=stale).delete()  # on the sheet, the new end has replaced theirs
        condition.save()


def _make_room(encounter: Encounter, order: Order, combatant: Combatant) -> None:
    """If the combatant has MOST_CONDITIONS, delete the oldest one that is over; Refused if none is. The others that are
    over stay, because they hold again if a turn is taken back."""
    kept = list(combatant.conditions.all())
    if len(kept) < MOST_CONDITIONS:
        return
    over = [one for one in kept if is_over(one, encounter, order)]
    if not over:
        name = names_of(order, hidden=True)[combatant.pk]
        raise Refused(f"{name} has {MOST_CONDITIONS} conditions, and that is the limit.", "name")
    over[0].delete()


def _put_on_sheet(table: AtTable, condition: Condition, names: Mapping[int, str]) -> None:
    """`names` are those that players know: no hidden one is written on a sheet."""
    character = condition.combatant.seat.character
    whose = names.get(condition.whose_id)
    when = f"the {'end' if condition.at_end else 'start'} of {whose}’s turn in round {condition.round}"
    until = when if whose else f"round {condition.round}" if condition.whose else ""
    named = {name.casefold(): (ref, name) for ref, name in versions_of([character])[character.pk].table.offered}
    if condition.name.casefold() not in named:
        raise Refused(f"{character} cannot have “{condition.name}”. Choose one from the list.", "condition")
    condition.ref, condition.name = named[condition.name.casefold()]
    condition.source = whose[:120] if whose and condition.whose != condition.combatant else ""
    condition.until = until[:120]
    sent = {"condition": condition.ref, "source": condition.source, "until": condition.until}
    table.insist(character, "add_condition", sent, table.key)


def remove(pk: int, person: Person, key: str, condition: int) -> None:
    """Remove a condition before its time, also from a character's sheet. Repeating it changes nothing."""
    with at_encounter(pk, person, key=key) as (member, encounter):
        found = Condition.objects.filter(combatant__encounter=encounter, pk=condition).first()
        if found is None:
            return
        if found.ref:
            end_on_sheet(AtTable(member.campaign, person, key), found)
        found.delete()
