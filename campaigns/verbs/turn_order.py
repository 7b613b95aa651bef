"""Passes the turns of an encounter on, and takes them back. All that a turn does to a character goes through its
journal."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404

from campaigns.campaign_access import Leaderless, changing, runner_of
from campaigns.following import tell_followers
from campaigns.models import Campaign, Combatant, Condition, Encounter, Member, Turn
from campaigns.order import Order, encounter_of, following, is_over, order_of, preceding, whose_turn
from campaigns.roles import RUN, SEE
from characters.access import playable_by
from characters.actions.act import act_of
from characters.actions.form_values import answers_of
from characters.actions.registry import actions_of
from characters.change.journal import Part, perform_all
from characters.change.refusals import KeyReused, Refused, RefusedForSome
from characters.models import Change, Character, CharacterCondition, not_undone
from characters.people import Person, hashed
from rules.compile import NoSuchSource
from rules.games import GAMES

# Each round takes at least one step, so at the last step the columns still have room for a thousand more rounds.
MOST_STEPS = 90_000
NOT_HERE = "There is no encounter any more. Reload the page."


def next_turn(pk: int, person: Person, key: str, *, saw: int) -> Encounter:
    """Pass the turn on, as someone who runs the table or as the player whose turn it is.

    `saw` is the number of steps that the page showed. If someone else was faster, nothing happens.
    """
    with at_encounter(pk, person, SEE, key=key) as (member, encounter):
        if encounter.steps == saw:
            order = order_of(encounter)
            if not member.may(RUN) and not plays(person, whose_turn(encounter, order)):
                raise Refused("It is not your turn.")
            _pass_on(AtTable(member.campaign, person, key), encounter, order)
    return encounter


def previous_turn(pk: int, person: Person, key: str, *, saw: int) -> list[str]:
    """Take back the present turn, and undo the changes that its beginning made. Returns the sentence of each change
    that stays because the character has moved on; it is not made again when the turn comes again."""
    with at_encounter(pk, person, RUN, key=key) as (member, encounter):
        if encounter.steps != saw:
            return []
        if not encounter.round:
            raise Refused("Nobody has had a turn yet.")
        order = order_of(encounter)
        turn = Turn.objects.filter(combatant=whose_turn(encounter, order), round=encounter.round).first()
        stay = _take_back(AtTable(member.campaign, person, key), turn) if turn else []
        _give_turn(encounter, *preceding(encounter, order))
    return stay


@contextmanager
def at_encounter(
    pk: int, person: Person, word: str = RUN, *, key: str | None = None
) -> Iterator[tuple[Member, Encounter]]:
    """Like `changing`, with the encounter that is on; Refused if none is. Tells the pages that follow it."""
    with changing(pk, person, word, key=key) as member:
        encounter = encounter_of(member.campaign)
        if encounter is None:
            raise Refused(NOT_HERE)
        tell_followers(pk)
        yield member, encounter


def made_by(rows: QuerySet, key: str, fingerprint: str) -> Any:
    """The row that this form has already made, or None; KeyReused if that form asked for something else."""
    found = rows.filter(key=key).first()
    if found is not None and found.fingerprint not in ("", fingerprint):
        raise KeyReused
    return found


def among(order: Order, combatant: int) -> Combatant:
    found = next((one for one in order if one.pk == combatant), None)
    if found is None:
        raise Http404("No such combatant.")
    return found


def plays(person: Person, combatant: Combatant | None) -> bool:
    seat = combatant.seat if combatant else None
    return seat is not None and Character.objects.filter(playable_by(person), pk=seat.character_id).exists()


def _pass_on(table: "AtTable", encounter: Encounter, order: list[Combatant]) -> None:
    found = following(encounter, order)
    if found is None:
        raise Refused("Nobody here can take a turn.")
    lasting = [one for one in conditions_on_sheets(encounter) if not is_over(one, encounter, order)]
    _give_turn(encounter, *found)
    coming = next(one for one in order if one.place == encounter.place)
    turn = Turn.objects.filter(combatant=coming, round=encounter.round).first()
    turn = turn or Turn.objects.create(combatant=coming, round=encounter.round)
    if coming.seat is not None:
        turn.changes.add(*_begin_turn(table, turn, coming.seat.character))
    over = [one for one in lasting if is_over(one, encounter, order)]
    turn.changes.add(*[change for one in over if (change := end_on_sheet(table, one))])


def _give_turn(encounter: Encounter, round: int, place: int) -> None:
    """Give the turn to this place in this round, as one more step."""
    if encounter.steps >= MOST_STEPS:
        raise Refused(
            f"This encounter has had {MOST_STEPS:,} turns, and that is the limit. End it and begin another one."
        )
    encounter.round, encounter.place, encounter.steps = round, place, encounter.steps + 1
    encounter.save(update_fields=["round", "place", "steps"])


def _begin_turn(table: "AtTable", turn: Turn, character: Character) -> list[Change]:
    """The changes that begin a character's turn, made once for each turn."""
    verb = GAMES[character.ruleset.game].encounter.TURN
    if not verb or changes_not_undone(turn).filter(character=character, verb=verb).exists():
        return []
    change = table.change(character, verb, {}, table.key)
    return [change] if change else []


def _take_back(table: "AtTable", turn: Turn) -> list[str]:
    stay = []
    for change in changes_not_undone(turn).order_by("-pk").select_related("character__ruleset"):
        sent, key = {"change": change.sequence}, hashed(f"{table.key} {change.pk}")
        if table.change(change.character, "undo", sent, key) is None:
            stay.append(change.sentence)
    return stay


def changes_not_undone(turn: Turn) -> QuerySet:
    """The changes that the beginning of the turn made, without those that were undone."""
    return turn.changes.filter(not_undone())


def conditions_on_sheets(encounter: Encounter) -> QuerySet:
    """The conditions on characters' sheets that the encounter ends."""
    found = Condition.objects.filter(combatant__encounter=encounter).exclude(ref="")
    return found.select_related("combatant__seat__character__ruleset")


def end_on_sheet(table: "AtTable", condition: Condition) -> Change | None:
    """End a condition on the character's sheet. None if it is no longer there, or has another end by now."""
    character = condition.combatant.seat.character
    kind, _, slug = condition.ref.partition(":")
    on_sheet = CharacterCondition.objects.filter(
        character=character, element__kind=kind, element__slug=slug, source=condition.source
    )
    if condition.until:  # "" for none, and in rows from before migration 0021
        on_sheet = on_sheet.filter(until=condition.until)
    if not on_sheet:
        return None
    sent = {"condition": condition.ref, "source": condition.source}
    return table.change(character, "remove_condition", sent, hashed(f"{table.key} {condition.pk}"))


@dataclass(frozen=True)
class AtTable:
    """Changes characters of a campaign for one of its people, by a form with this key.

    A player who passes the turn on may not play the next character, so it is done with the permission of someone who
    runs the table.
    """

    campaign: Campaign
    person: Person
    key: str

    def change(self, character: Character, name: str, sent: Mapping[str, Any], key: str) -> Change | None:
        """Do an action to a character; None if it is refused."""
        try:
            return self.insist(character, name, sent, key)
        except (RefusedForSome, Leaderless, Http404, NoSuchSource):
            return None

    def insist(self, character: Character, name: str, sent: Mapping[str, Any], key: str) -> Change:
        """Like `change`, but raises the refusal, which rolls back nothing else of the transaction."""
        action = actions_of(character.ruleset.game)[name]
        answers = answers_of(action.fields, sent)
        part = Part(character.pk, answers, act_of(action, answers, self.person))
        with transaction.atomic():
            return perform_all([part], runner_of(self.campaign), name, key, actor=self.person)[character.pk]
