"""Proposals: actions that wait, without a limit in time, for a yes or no from the character's player.

A proposal and the change that accepts it share a key, so accepting it twice changes the character once.
"""

import functools
import operator
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Count, Max, Q, QuerySet
from django.http import Http404
from django.utils import timezone

from characters import access
from characters.access import ANSWER, PLAY
from characters.change.announcements import announce
from characters.change.draft import Draft
from characters.change.journal import perform
from characters.change.refusals import KeyReused, Refused
from characters.models import Change, Character, Proposal, waiting
from characters.people import Person
from characters.read.versions import Version
from rules.fast_sql import PLACEHOLDERS, Prepared
from rules.games import GAMES
from rules.games.contract import RollAhead
from rules.games.outcome import NotAllowed
from rules.games.table_action import Way

from .act import act_of
from .action_context import ActionContext
from .form_values import answers_of
from .together import Deed, deeds_of
from .what_if import Foreseen, foreseen

MOST = 20
OVER = "That has already been answered or withdrawn."


@dataclass(frozen=True, slots=True)
class Proposed:
    """A proposal for one character: the fields that the form of the action would send, and why."""

    pk: int
    sent: Mapping[str, Any]
    reason: str = ""


@dataclass(frozen=True)
class WaitingProposal:
    """An unanswered proposal, with the character as it is now."""

    proposal: Proposal
    deed: Deed
    character: Character
    version: Version
    person: Person

    @property
    def words(self) -> str:
        return self.deed.words(self.proposal.sent, self.version)

    @property
    def asks(self) -> bool:
        """True if it asks for a roll."""
        return asks(self.deed, self.version)

    @cached_property
    def asked(self) -> RollAhead | None:
        """The roll that the proposal asks for, as it would be made now; None if it cannot be made, and then each of
        `ways` says why. Its chance is known only if the difficulty is."""
        try:
            return roll_of(self.deed, self.proposal.sent, self.character, self.version, self.person)
        except NotAllowed:
            return None

    @cached_property
    def ways(self) -> list[tuple[int, Way, Foreseen]]:
        """Each way to answer, by its number, with the result that it would have."""
        found = []
        for number, way in enumerate(self.deed.together.ways):
            try:
                act = act_of(self.deed.action, answers_in(self.deed, self.proposal, way, {}), self.person)
            except Refused as no:
                effect = Foreseen(refused=no.sentence)
            else:
                effect = foreseen(self.character, self.version, act)
            found.append((number, way, effect))
        return found


def asks(deed: Deed, version: Version) -> bool:
    """True if proposing this to a character asks it for a roll."""
    asking = version.bundle.game.asking
    return asking is not None and deed.action.name == asking.ACTION


def roll_of(
    deed: Deed, sent: Mapping[str, Any], character: Character, version: Version, person: Person
) -> RollAhead | None:
    """The roll that this deed asks of a character, as it would be made now; None if it asks for none. Raises NotAllowed
    if the roll cannot be made."""
    asking = version.bundle.game.asking
    if asking is None or not asks(deed, version):
        return None
    return asking.ready(ActionContext(Draft(character, version), person), answers_of(deed.action.fields, sent))


def check_answerable(
    deed: Deed, sent: Mapping[str, Any], character: Character, version: Version, person: Person
) -> None:
    """Raise Refused if the player could not answer at all: it may not be declined, and every way of accepting it would
    be refused."""
    if deed.together.declinable:
        return
    effects = [effect for _, _, effect in WaitingProposal(Proposal(sent=sent), deed, character, version, person).ways]
    if all(one.refused for one in effects):
        raise Refused(effects[0].refused)


def propose(asked: Iterable[Proposed], person: Person, name: str, key: str) -> list[Proposal]:
    """Ask the players of these characters, all or none, in the caller's transaction. Raises Http404 if this person may
    not play one of them, Refused if too many proposals wait already, KeyReused if this key was used for an earlier
    proposal."""
    made = []
    for one in sorted(asked, key=lambda proposed: proposed.pk):
        character = access.locked_for(one.pk, person, PLAY)
        if character.proposals.filter(waiting()).count() >= MOST:
            raise Refused(f"{MOST} proposals already wait for the player of {character}.")
        proposal = Proposal(character=character, action=name, sent=dict(one.sent), reason=one.reason, key=key)
        try:
            proposal.save(force_insert=True)
        except IntegrityError as known:
            raise KeyReused from known
        made.append(proposal)
        announce("proposals", one.pk)
    return made


def waiting_of(character: Character, version: Version, person: Person) -> list[WaitingProposal]:
    """The proposals that wait for this character's player, oldest first. Those whose action the game no longer has are
    left out."""
    deeds = deeds_of(version.bundle.game.name)
    found = character.proposals.filter(waiting())
    return [WaitingProposal(one, deeds[one.action], character, version, person) for one in found if one.action in deeds]


def asks_for_roll() -> Q:
    """A filter for proposals: those that ask for a roll, in whatever game."""
    asked = (Q(character__ruleset__game=name, action=game.asking.ACTION) for name, game in GAMES.items() if game.asking)
    return functools.reduce(operator.or_, asked, Q(pk__in=[]))


def _counted(**of: Any) -> QuerySet:
    rows = Proposal.objects.filter(**of).order_by().values("character")
    rows = rows.annotate(newest=Max("pk"), open=Count("pk", filter=waiting()))
    return rows.values_list("character", "newest", "open")


COUNTED = Prepared(lambda character: _counted(character=character), PLACEHOLDERS[0])


def stamps_of(pks: Collection[int]) -> dict[int, str]:
    """By the id of each character that ever had a proposal, a text that changes whenever one comes or is answered."""
    return _words(_counted(character__in=pks))


def stamp_of(pk: int) -> str:
    """The same text for one character, which every page of a sheet asks for; "" if it never had a proposal."""
    return _words(COUNTED.rows(pk)).get(pk, "")


def _words(rows: Iterable[tuple[int, int, int]]) -> dict[int, str]:
    return {character: f"{newest}-{waits}" for character, newest, waits in rows}


def none_open(stamp: str) -> bool:
    """True if nothing waits, judged by a text of `stamp_of`."""
    return not stamp or stamp.endswith("-0")


def answers_in(deed: Deed, proposal: Proposal, way: Way, sent: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of the action: those proposed, those that the player may add, and those that the way settles."""
    added = {name: sent[name] for name in way.takes if sent.get(name)}
    return answers_of(deed.action.fields, {**proposal.sent, **added, **way.settles})


def answered(deed: Deed, change: Change) -> str:
    """The word for the answer that made this change."""

    def settled(way: Way) -> bool:
        fields = {name: deed.action.fields[name] for name in way.settles}
        return answers_of(fields, way.settles).items() <= change.what.items()

    return next((way.answered for way in deed.together.ways if settled(way)), "")


def answer(pk: int, person: Person, proposal: int, way: int, sent: Mapping[str, Any]) -> Change:
    """Do what was proposed, in one of its ways. Repeating the same answer changes nothing; a different answer is
    Refused."""
    found = _proposal(pk, person, proposal)
    deed = deeds_of(found.character.ruleset.game).get(found.action)
    if deed is None or not 0 <= way < len(deed.together.ways):
        raise Http404("No such answer.")
    answers = answers_in(deed, found, deed.together.ways[way], sent)
    do = act_of(deed.action, answers, person)

    def act(draft: Draft) -> str:
        if not Proposal.objects.filter(pk=found.pk, declined_at=None, withdrawn_at=None).exists():
            raise Refused(OVER)
        announce("proposals", pk)
        return do(draft)

    try:
        return perform(pk, person, found.action, found.key, answers, act, may=ANSWER, reason=found.reason)
    except KeyReused:
        raise Refused(OVER) from None


def decline(pk: int, person: Person, proposal: int) -> None:
    """Say no, which leaves the character as it is. Repeating it changes nothing; Refused if the proposal was accepted,
    or must be answered in one of its ways."""
    with transaction.atomic(durable=True):
        found = _proposal(pk, person, proposal, lock=True)
        deed = deeds_of(found.character.ruleset.game).get(found.action)
        if deed is not None and not deed.together.declinable:
            raise Refused("This one must be answered.")
        if found.withdrawn_at or Change.objects.filter(character=pk, key=found.key).exists():
            raise Refused(OVER)
        if found.declined_at is None:
            found.declined_at = timezone.now()
            found.save(update_fields=["declined_at"])
            announce("proposals", pk)


def withdraw(pks: Collection[int], keys: Collection[str] | QuerySet) -> set[int]:
    """Lock these characters and withdraw the proposals to them with these keys that still wait; returns the ids of the
    characters that had one. Runs in the caller's transaction; the caller has checked who may withdraw."""
    list(Character.objects.select_for_update().filter(pk__in=pks).order_by("pk").values_list("pk"))
    found = dict(Proposal.objects.filter(waiting(), character__in=pks, key__in=keys).values_list("pk", "character"))
    Proposal.objects.filter(pk__in=found).update(withdrawn_at=timezone.now())
    characters = set(found.values())
    for pk in characters:
        announce("proposals", pk)
    return characters


def _proposal(pk: int, person: Person, proposal: int, *, lock: bool = False) -> Proposal:
    """A proposal to this character; Http404 unless this person may answer it."""
    if lock:
        access.locked_for(pk, person, ANSWER)
    elif not access.role_found(access.playable(pk, person), person).may(ANSWER):
        raise Http404("No such proposal.")
    found = Proposal.objects.filter(character=pk, pk=proposal).select_related("character__ruleset").first()
    if found is None:
        raise Http404("No such proposal.")
    return found
