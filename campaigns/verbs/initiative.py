"""The order of an encounter: rolled for, by numbers of the sheets, entered, or set by hand."""

from random import Random

from django.http import Http404

from campaigns.models import Campaign, Combatant, Encounter
from campaigns.order import Order, order_of, whose_turn
from campaigns.roles import RUN, SEE
from campaigns.verbs.turn_order import AtTable, among, at_encounter, plays
from characters.actions.action_context import CHANCE
from characters.change.refusals import Refused, RefusedForSome
from characters.models import Character, RollRecord, not_undone
from characters.people import Person
from characters.read.party import versions_of
from rules.games import GAMES
from rules.games.contract import EncounterRules
from rules.games.dice_text import read_dice

NEW_ROLL = 1_000_000  # between two who are tied


def roll_initiative(pk: int, person: Person, key: str) -> dict[str, str]:
    """Roll for everyone who has no initiative yet, by the rule of their game, or take it from their sheet. A roll that
    a character has made since the encounter began is used; creatures of a kind share one roll. Returns the reason for
    each who got none, by name."""
    with at_encounter(pk, person, key=key) as (member, encounter):
        order, table, refused = order_of(encounter), AtTable(member.campaign, person, key), {}
        without = [one for one in order if one.initiative is None]
        here = sorted((one for one in without if one.seat and not one.is_away), key=lambda one: one.seat_id)
        rolling = [one for one in here if _rules_of(one).INITIATIVE]
        _take_from_sheets([one for one in here if one not in rolling])
        for one in rolling:
            try:
                _put(one, _of_character(table, encounter, one.seat.character), CHANCE)
            except (RefusedForSome, Http404) as why:
                refused[str(one)] = str(why)
        _set_tie_breakers(without)
        _roll_for_kinds(member.campaign, without)
        placed = [one for one in without if one.initiative is not None]
        order = [one for one in order if one not in placed]  # so that each is compared only with those in their places
        for one in placed:
            order = inserted(order, one)
        _store_order(encounter, order, placed)
    return refused


def _rules_of(combatant: Combatant) -> EncounterRules:
    return GAMES[combatant.seat.character.ruleset.game].encounter


def _take_from_sheets(combatants: list[Combatant]) -> None:
    """Give each of these characters the initiative that its sheet has, if its game takes it from there."""
    versions = versions_of(one.seat.character for one in combatants)
    for one in combatants:
        if version := versions.get(one.seat.character_id):
            _put(one, _rules_of(one).place(version.sheet), CHANCE)


def _of_character(table: AtTable, encounter: Encounter, character: Character) -> int:
    rules = GAMES[character.ruleset.game].encounter
    rolled = RollRecord.objects.filter(not_undone("change"), character=character, key=rules.INITIATIVE)
    own = rolled.filter(change__at__gte=encounter.made_at).first()
    if own is not None:
        return own.total
    name, sent = rules.ROLLS_IT
    change = table.insist(character, name, sent, table.key)
    return RollRecord.objects.get(change=change, key=rules.INITIATIVE).total


def _set_tie_breakers(combatants: list[Combatant]) -> None:
    """Set the tie-breaker of the characters that have an initiative."""
    characters = [one.seat.character for one in combatants if one.seat and one.initiative is not None]
    versions = versions_of(characters)
    for one in combatants:
        if one.seat and one.seat.character_id in versions:
            version = versions[one.seat.character_id]
            one.tie = version.bundle.game.encounter.tie(version.bundle, version.build, version.sheet)


def _roll_for_kinds(campaign: Campaign, combatants: list[Combatant]) -> None:
    """Roll once for each kind of creature among these."""
    rules = campaign.game.encounter
    kinds = {one.creature_id: one.creature for one in combatants if one.creature}
    for kind in kinds.values():
        if rules.INITIATIVE and (written := kind.dice or rules.CREATURE):
            dice = read_dice(written, rules.DIE)
            total, again = sum(dice.thrown(CHANCE)) + dice.modifier, CHANCE.randint(1, NEW_ROLL)
            for one in combatants:
                if one.creature_id == kind.pk:
                    one.initiative, one.tie, one.again = total, rules.AVERAGE, again


def _put(combatant: Combatant, total: int | None, chance: Random) -> None:
    combatant.initiative, combatant.again = total, 0 if total is None else chance.randint(1, NEW_ROLL)


def enter_initiative(pk: int, person: Person, combatant: int, *, total: int | None, chance: Random = CHANCE) -> None:
    """Enter a roll that was made with real dice, or None to clear it. People who run the table may, and a player for
    their own character as long as `initiative_is_open`. The combatant moves to its new place."""
    with at_encounter(pk, person, SEE) as (member, encounter):
        order = order_of(encounter)
        found = among(order, combatant)
        if not member.may(RUN):
            if not plays(person, found):
                raise Http404("No such combatant.")
            if not found.initiative_is_open(encounter):
                raise Refused("The turns have begun. Your storyteller can change your place in the order.")
        _put(found, total, chance)
        if found.creature:
            found.tie = member.campaign.game.encounter.AVERAGE
        _set_tie_breakers([found])
        _store_order(encounter, inserted(order, found) if total is not None else order, [found])


def move(pk: int, person: Person, combatant: int, *, up: bool, saw: int, beside: int | None = None) -> None:
    """Move one place earlier or later, or to just before or after the combatant `beside`. `saw` is the place that the
    page showed; if the combatant has moved since, nothing is done."""
    with at_encounter(pk, person) as (_, encounter):
        order = order_of(encounter)
        found = among(order, combatant)
        near = order.index(found) + (-1 if up else 1)
        neighbor = order[near] if 0 <= near < len(order) else found
        other = neighbor if beside is None else among(order, beside)
        if found.place == saw and other != found:
            order.remove(found)
            order.insert(order.index(other) + (not up), found)
            _store_order(encounter, order, [found])


def inserted(order: Order, combatant: Combatant) -> list[Combatant]:
    """The order with this combatant before the first one that it beats. The others keep their places, also those set by
    hand."""
    others = [one for one in order if one is not combatant]
    beaten = (at for at, one in enumerate(others) if one.initiative is None or _order_key(one) > _order_key(combatant))
    at = next(beaten, len(others))
    return [*others[:at], combatant, *others[at:]]


def _order_key(one: Combatant) -> tuple[int, int, int, int]:
    """A sort key, lowest first: the higher number, then the tie-breaker, then the new roll, then the earlier
    arrival."""
    return -one.initiative, -one.tie, -one.again, one.pk


def _store_order(encounter: Encounter, order: Order, moved: list[Combatant]) -> None:
    """Store the order, and the initiative of those who moved. The turn moves with its owner; if the owner has left, it
    stays behind the others whose turns are over in this round."""
    current, over = whose_turn(encounter, order), [one.place < encounter.place for one in order]
    last = max((at for at, one in enumerate(order) if over[at] and one not in moved), default=-1)
    before = next((at for at in range(last + 1, len(order)) if not over[at]), len(order))
    for at, one in enumerate(order, 1):
        one.place = 2 * at
    between = 2 * before + 1  # an odd place is nobody's: the turn lies there if its owner has left
    encounter.place = (current.place if current else between) if encounter.round else 0
    encounter.save(update_fields=["place"])
    Combatant.objects.bulk_update(order, ["place", "initiative", "tie", "again"])
