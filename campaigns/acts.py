"""The storytellers' acts on their party, with their results. Eight characters take no more queries than one."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import OuterRef, Q

from campaigns.models import Campaign, PartyAct
from campaigns.names_apart import names_at
from campaigns.verbs.party_acts import CONTEST, GROUP, ONE
from characters.actions.proposals import answered, stamps_of
from characters.actions.together import deeds_of
from characters.change.roll_log import in_force, rolled_of
from characters.models import Change, Character, Proposal, RollRecord, waiting
from characters.models.history import undoings
from characters.read.party import versions_of
from characters.read.versions import Version, version_number
from rules.games import GAMES
from rules.games.contract import Asking
from rules.games.outcome import Rolled

MOST, MOST_OPEN = 8, 50
WAITS, DECLINED, WITHDRAWN, UNDONE, DELETED = "waiting", "declined", "withdrawn", "undone", "in the bin"


@dataclass(frozen=True)
class ActResult:
    """One character's part in an act: its name at the table, its state in a word, the change that the act made, and its
    roll with all additions."""

    character: Character
    name: str
    state: str
    change: Change | None = None
    rolled: Rolled | None = None

    @property
    def waits(self) -> bool:
        return self.state == WAITS

    @property
    def is_open(self) -> bool:
        """True if it is neither answered nor withdrawn."""
        return self.state in (WAITS, DELETED)

    @property
    def may_be_undone(self) -> bool:
        return self.is_open or (self.change is not None and self.state != UNDONE)


@dataclass(frozen=True)
class ShownAct:
    """An act and its results. If it asked for a roll, `target` is the number to reach and `verdict` the outcome, in
    words."""

    act: PartyAct
    answers: tuple[ActResult, ...]
    target: str
    verdict: str
    numbers: Mapping[int, str]

    @property
    def followed(self) -> dict[str, str]:
        """Everything that may still change how it shows, each with its version on the page: its characters, whose
        players may undo their part or do it again, and unanswered proposals. Empty once it is undone for all."""
        if self.act.inverted:
            return {}
        characters = {f"character {one.character.pk}": version_number(one.character) for one in self.answers}
        waiting = [one.character.pk for one in self.answers if one.is_open]
        return characters | {f"proposals {pk}": self.numbers.get(pk, "") for pk in waiting}

    @property
    def waits(self) -> int:
        return sum(answer.waits for answer in self.answers)

    @property
    def may_be_undone(self) -> bool:
        return not self.act.inverted and any(answer.may_be_undone for answer in self.answers)

    @property
    def is_undone(self) -> bool:
        """True if it was undone for all: at once, or by each player."""
        return self.act.inverted or {answer.state for answer in self.answers} == {UNDONE}

    @property
    def undone_alone(self) -> list[ActResult]:
        """The results of characters that have undone it while it is still in force for others."""
        return [] if self.is_undone else [answer for answer in self.answers if answer.state == UNDONE]


def lately(campaign: Campaign) -> dict[str, Any]:
    """The acts on the roster, and what that part of the page follows (`static/js/follow.js`)."""
    acts = acts_of(campaign)
    followed = {thing: number for one in acts for thing, number in one.followed.items()}
    return {"acts": acts, "acts_follow": ",".join(followed), "acts_numbers": ",".join(followed.values())}


def acts_of(campaign: Campaign) -> list[ShownAct]:
    """The newest acts at this table, and older ones that still wait for an answer, for people who run it."""
    asked = Proposal.objects.filter(waiting(), character__seat__campaign=campaign)
    newest = Q(pk__in=campaign.acts.values("pk")[:MOST])
    found = campaign.acts.filter(newest | Q(proposed=True, key__in=asked.values("key")))
    found = found.select_related("by", "inverted_by").prefetch_related("characters__ruleset")
    acts = list(found[:MOST_OPEN])
    rows = _rows_of(acts)
    shown = []
    for act in acts:
        answers = tuple(rows.result(act, one) for one in sorted(act.characters.all(), key=lambda one: one.pk))
        verdict = _verdict(act, answers) if act.asks else ""
        shown.append(ShownAct(act, answers, rows.target(act, answers), verdict, rows.numbers))
    return shown


type CharacterAndKey = tuple[int, str]


@dataclass(frozen=True)
class _ActRows:
    """The rows that these acts have led to, read for all of them together; only the changes if none was proposed.

    rolls: by the change that made them. versions: of the characters that were asked for a roll. numbers: by character;
    each changes when a proposal comes or is answered.
    """

    changes: Mapping[CharacterAndKey, Change]
    proposals: Mapping[CharacterAndKey, Proposal] = field(default_factory=dict)
    rolls: Mapping[int, RollRecord] = field(default_factory=dict)
    versions: Mapping[int, Version] = field(default_factory=dict)
    numbers: Mapping[int, str] = field(default_factory=dict)
    names: Mapping[int, str] = field(default_factory=dict)

    def result(self, act: PartyAct, character: Character) -> ActResult:
        change = self.changes.get((character.pk, act.key))
        state = _state(act, character, change, self.proposals.get((character.pk, act.key)))
        name = self.names.get(character.pk, str(character))
        return ActResult(character, name, state, change, self._rolled(act, character, change))

    def _rolled(self, act: PartyAct, character: Character, change: Change | None) -> Rolled | None:
        """The roll that the change made. If only the act has a difficulty, the roll is measured against that."""
        record = self.rolls.get(change.pk) if change else None
        if record is None:
            return None
        rolled, target, version = rolled_of(record), act.what.get("target"), self.versions.get(character.pk)
        if target is None or version is None or rolled.target is not None:
            return rolled
        return asking_of(character).measured(version.bundle, version.build, rolled, target)

    def target(self, act: PartyAct, answers: Sequence[ActResult]) -> str:
        """The number to reach in the words of the first character's game; "" if there is none."""
        target = act.what.get("target")
        version = next((self.versions.get(one.character.pk) for one in answers), None)
        if target is None or version is None or (asking := version.bundle.game.asking) is None:
            return ""
        return asking.in_words(version.bundle, target)


def _rows_of(acts: Sequence[PartyAct]) -> _ActRows:
    characters = {one.pk: one for act in acts for one in act.characters.all()}
    where = {"character__in": characters, "key__in": [act.key for act in acts]}
    made = Change.objects.filter(**where).annotate(turned=undoings(OuterRef("pk")))
    changes = {(one.character_id, one.key): one for one in made}
    if not any(act.proposed for act in acts):
        return _ActRows(changes)
    proposals = {(one.character_id, one.key): one for one in Proposal.objects.filter(**where)}
    asked = {one.pk: one for act in acts if act.asks for one in act.characters.all()}
    return _ActRows(
        changes,
        proposals,
        rolls=_rolls([change.pk for pair, change in changes.items() if pair in proposals]),
        versions=versions_of(asked.values()),
        numbers=stamps_of(list(characters)),
        names=names_at(acts[0].campaign),
    )


def asking_of(character: Character) -> Asking:
    asking = GAMES[character.ruleset.game].asking
    assert asking is not None
    return asking


def _rolls(changes: Iterable[int]) -> dict[int, RollRecord]:
    """The last roll that each of these changes made, with what was added to it since."""
    made = list(in_force(RollRecord.objects.filter(change__in=changes)).order_by("pk"))
    added = in_force(RollRecord.objects.filter(follows__in=[row.pk for row in made])).order_by("pk")
    newest = {row.follows_id: row for row in added}
    return {row.change_id: newest.get(row.pk, row) for row in made}


def _state(act: PartyAct, character: Character, change: Change | None, proposal: Proposal | None) -> str:
    if change is not None and not change.stands:
        return UNDONE
    if proposal is None:
        return ""
    if change is not None:
        deed = deeds_of(character.ruleset.game).get(act.verb)
        return answered(deed, change) if deed else ""
    if proposal.declined_at:
        return DECLINED
    if proposal.withdrawn_at:
        return WITHDRAWN
    return DELETED if character.binned_at else WAITS  # once it is restored, its player may answer


def _verdict(act: PartyAct, answers: Sequence[ActResult]) -> str:
    """The outcome of a roll that was asked for, by its rule; "" as long as a missing roll may still decide it."""
    rule, rolled = act.what["rule"], [(one, one.rolled) for one in answers if one.rolled]
    missing, won = sum(answer.waits for answer in answers), [one for _, one in rolled if one.success]
    if rule == CONTEST:
        if missing or len(rolled) < 2:
            return ""
        place = asking_of(rolled[0][0].character).winner([one for _, one in rolled])
        return "A tie: nobody wins." if place is None else f"{rolled[place][0].name} wins."
    if act.what.get("target") is None or not rolled:
        return ""
    needed = needed_of(rule, len(rolled) + missing, answers[0].character)
    if needed is None:
        alone = " That is too few for a group." if rule == GROUP else ""
        return f"{len(won)} of {len(rolled)} succeed.{alone}"
    if len(won) >= needed:
        return f"Success: {len(won)} of {len(rolled) + missing}, {needed} needed."
    return "" if len(won) + missing >= needed else f"Failure: {len(won)} of {len(rolled)}, {needed} needed."


def needed_of(rule: str, members: int, character: Character) -> int | None:
    """The number of successes that the whole group needs; None if each member rolls alone."""
    return {ONE: 1, GROUP: asking_of(character).needed(members)}.get(rule)
