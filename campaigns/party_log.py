"""The log of a table: the changes of its characters while they sat here, and its session marks.

Everyone reads here what they may read on the sheets: the changes of the characters that they play or run. A secret roll
is shown only to the person who made it (`characters.change.roll_log.told_to`, decision 051). Of the other characters
they see the open dice, without what these were for (decision 068).
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from operator import attrgetter

from django.db.models import BigIntegerField, Case, Exists, F, OuterRef, Q, QuerySet, Subquery, When
from django.db.models.functions import Coalesce

from campaigns.models import Combatant, CreatureRoll, Member, Reveal, SessionMark, Sitting
from campaigns.order import names_of
from campaigns.seen_party import SeenParty
from campaigns.verbs.campaign_notes import reveals_for
from characters.actions.kinds import is_of_kind, kinds_of
from characters.change import history_entries, roll_log
from characters.models import Change, Character, RollRecord
from rules.number_text import number_in

OPEN = RollRecord.objects.filter(follows=None, secret=False)
IN_THIS_SITTING = Q(at__gte=F("character__seat__began_at"))
# The former sitting, at the character's present table, during which the change was made.
FORMER = Sitting.objects.filter(
    campaign=OuterRef("character__seat__campaign"),
    character=OuterRef("character"),
    began_at__lte=OuterRef("at"),
    ended_at__gt=OuterRef("at"),
)


def _was_guest(member: str, at: F) -> Q:
    """A filter for rows whose `member` had no account at this moment."""
    return Q((f"{member}__guest__gt", "")) | Q((f"{member}__guest_until__gt", at))


# The journal does not tell guests apart, but the only guest who can change a character is its player.
GUEST_THEN = Case(
    When(IN_THIS_SITTING & _was_guest("character__seat__member", F("at")), then=F("character__seat__member")),
    default=Subquery(FORMER.filter(_was_guest("member", OuterRef("at"))).values("member")[:1]),
    output_field=BigIntegerField(),
)
A_PAGE = 50
MOST_EXPORTED = 10_000
RECENT = 24  # of a character
MOST_OF_CREATURES = 1_000  # beside one page of changes
GUEST = "guest"


@dataclass(frozen=True)
class LogEntry:
    """One change as the log tells it; `rolls` are those of its dice that the reader may see."""

    change: Change
    character: Character
    name: str
    who: str
    rolls: list[RollRecord]

    @property
    def pk(self) -> int:
        return self.change.pk

    @property
    def at(self) -> datetime:
        return self.change.at


@dataclass(frozen=True)
class OpenRoll:
    """A roll as everyone may see it, without the number to reach. A roll without faces succeeds automatically with
    exactly that number as its total, so then the total is left out too. by_hand: the faces were typed in."""

    name: str
    faces: list[int]
    total: int | None
    by_hand: bool = False


@dataclass(frozen=True)
class Throw:
    """Dice without the change that they belong to, which the reader may not see. stands: False if it was undone.
    secret: only storytellers see it."""

    pk: int | None  # of the change; a creature has none
    at: datetime
    character: Character | None
    name: str
    who: str
    dice: list[OpenRoll]
    stands: bool = True
    secret: bool = False


@dataclass(frozen=True)
class LogFilters:
    """The filters that a reader has chosen. Each is empty if the address names nothing known."""

    character: int | None = None
    who: str = ""  # a member by id, or GUEST for one who is not known
    kind: str = ""
    session: int | None = None
    rolls: bool = False
    before: int | None = None
    recent: bool = False  # of each character only its newest changes; no address asks for that

    @property
    def filters(self) -> dict[str, str]:
        """The filters that the link to the next page carries."""
        parts = {name: str(getattr(self, name) or "") for name in ("character", "who", "kind", "session")}
        return {name: part for name, part in parts.items() if part} | ({"rolls": "yes"} if self.rolls else {})


@dataclass(frozen=True)
class PartyLog(SeenParty):
    """The log of one table as one of its people may read it."""

    @cached_property
    def _accounts(self) -> dict[int, Member]:
        return {one.user_id: one for one in self.people.values() if one.user_id}

    @cached_property
    def marks(self) -> list[SessionMark]:
        """The session marks that were not removed, newest first."""
        return list(self.campaign.marks.filter(removed_at=None).select_related("by"))

    @property
    def beginning(self) -> SessionMark:
        """A mark that is not stored: the first session begins here if nobody marked it."""
        return SessionMark(pk=0, campaign=self.campaign, name="From the beginning", at=self.campaign.made_at)

    @cached_property
    def kinds(self) -> dict[str, str]:
        """The kinds of changes of all the games at this table: slug and name."""
        return {slug: kind.name for game in sorted(self._games) for slug, (kind, _) in kinds_of(game).items()}

    @property
    def _games(self) -> dict[str, list[int]]:
        """The characters that this person plays or runs, by game."""
        games = defaultdict(list)
        for one in self.characters.values():
            games[one.ruleset.game].append(one.pk)
        return games

    def changes(self) -> QuerySet:
        """Every change that this person may read, in no order."""
        return self._here().filter(character__in=list(self.characters))

    def _here(self) -> QuerySet:
        here = Change.objects.filter(character__seat__campaign=self.campaign)
        return here.filter(IN_THIS_SITTING | Exists(FORMER))

    def _told(self) -> QuerySet:
        """The changes that this person may read, and others whose dice they may see."""
        open_ones = Exists(OPEN.filter(change=OuterRef("pk")))
        theirs = Q(character__in=list(self.characters))
        return self._here().filter(theirs | (Q(character__in=list(self.mates)) & Q(open_ones)))

    def rolls(self) -> QuerySet:
        """The rolls that this person may see."""
        return RollRecord.objects.filter(roll_log.told_to(self.person.user))

    def mark(self, pk: int | None) -> SessionMark | None:
        if pk is None:
            return None
        return next((one for one in (*self.marks, self.beginning) if one.pk == pk), None)

    def until(self, mark: SessionMark) -> datetime | None:
        """The end of the session that a mark begins: the next mark; None for the present session."""
        return min((one.at for one in self.marks if (one.at, one.pk) > (mark.at, mark.pk)), default=None)

    def during(self, mark: SessionMark) -> QuerySet:
        """The changes from a mark to the next one."""
        return self._during(self.changes(), mark)

    def _during(self, found: QuerySet, mark: SessionMark | None) -> QuerySet:
        return _between(found, mark.at, self.until(mark)) if mark else found

    def asked(self, sent: Mapping[str, str]) -> LogFilters:
        """The filters in an address, without those that match nothing here."""
        who, kind, character = sent.get("who", ""), sent.get("kind", ""), number_in(sent.get("character"))
        mark = self.mark(number_in(sent.get("session")))
        return LogFilters(
            character=character if character in self.everyone else None,
            who=who if who == GUEST or who in self.people else "",
            kind=kind if kind in self.kinds else "",
            session=mark.pk if mark else None,
            rolls=sent.get("rolls") == "yes",
            before=number_in(sent.get("before")),
        )

    def _found(self, asked: LogFilters) -> QuerySet:
        found = self._during(self._told(), self.mark(asked.session)).annotate(guest_then=GUEST_THEN)
        if asked.character:
            found = found.filter(character=asked.character)
        if asked.who:
            found = found.filter(self._done_by(asked.who))
        if asked.kind:
            of_this = Q()
            for game, characters in self._games.items():
                if asked.kind in kinds_of(game):
                    of_this |= Q(character__in=characters) & is_of_kind(game, asked.kind)
            found = found.alias(of=Coalesce("root__verb", "verb")).filter(of_this)
        if asked.recent:
            found = found.filter(sequence__gt=F("character__version") - RECENT)
        if asked.rolls:
            found = found.filter(Exists(self.rolls().filter(change=OuterRef("pk"))))
        return found

    def _done_by(self, who: str) -> Q:
        if who == GUEST:
            return Q(actor=None, guest_then=None)
        member = self.people[who]
        as_guest = Q(actor=None, guest_then=member.pk)
        return as_guest | Q(actor=member.user_id) if member.user_id else as_guest

    def entries(self, asked: LogFilters, *, most: int) -> list[LogEntry | Throw]:
        """The newest entries that the filters leave, newest first."""
        found = history_entries.shown(self._found(asked), "key").order_by("-pk")
        if asked.before:
            found = found.filter(pk__lt=asked.before)
        changes = list(found[:most])
        rolls = self._rolls_of(changes)
        open_rolls = self._open_rolls_of([one for one in changes if one.character_id in self.mates])

        def entry(change: Change) -> LogEntry | Throw:
            name, who = self.names[change.character_id], self._actor_of(change)
            if change.character_id in self.characters:
                character = self.characters[change.character_id]
                return LogEntry(change, character, name, who, rolls[change.pk])
            mate = self.mates[change.character_id]
            return Throw(change.pk, change.at, mate, name, who, open_rolls[change.pk], stands=change.stands)

        return [entry(change) for change in changes]

    def newest(self, asked: LogFilters, *, most: int) -> list[LogEntry | Throw | Reveal]:
        """The events that the filters leave, newest first: at most this many changes, and the rolls of creatures and
        the shown notes since the oldest of them."""
        found = self.entries(asked, most=most)
        since = found[-1].at if len(found) == most else None
        among = [*found, *self.of_creatures(asked, since, None), *self.shown_notes(asked, since, None)]
        return sorted(among, key=attrgetter("at"), reverse=True)

    def _open_rolls_of(self, changes: Iterable[Change]) -> dict[int, list[OpenRoll]]:
        """The open rolls of these changes, with what was added to each since."""
        open_ones = RollRecord.objects.filter(change__in=[one.pk for one in changes], secret=False).order_by("pk")
        # Not a filter of the query: SQLite would then look through all rolls that follow none.
        made = [one for one in open_ones if one.follows_id is None]
        if not made:
            return defaultdict(list)
        added = RollRecord.objects.filter(follows__in=[one.pk for one in made], secret=False)
        newest = {row.follows_id: row for row in roll_log.in_force(added).order_by("pk")}
        found: dict[int, list[OpenRoll]] = defaultdict(list)
        for one in made:
            row = newest.get(one.pk, one)  # the whole roll, with that addition
            found[one.change_id].append(OpenRoll(row.name, row.faces, row.total if row.faces else None, row.by_hand))
        return found

    def of_creatures(self, asked: LogFilters, since: datetime | None, until: datetime | None) -> list[Throw]:
        """The rolls of creatures between two moments, newest first. Readers who do not run the table get the open rolls
        of creatures that are shown."""
        if asked.character or asked.kind:
            return []
        found = CreatureRoll.objects.filter(combatant__encounter__campaign=self.campaign)
        found = self._during(found, self.mark(asked.session)).select_related("combatant", "by")
        if not self.runs:
            found = found.filter(secret=False, combatant__hidden=False)
        if asked.who:
            found = found.filter(by=self.people.get(asked.who))
        rolls = list(_between(found, since, until)[:MOST_OF_CREATURES])
        creatures = Combatant.objects.filter(encounter__in={roll.combatant.encounter_id for roll in rolls}, seat=None)
        names = names_of(creatures.select_related("creature"), hidden=self.runs)
        # A creature may have been hidden or removed since the rolls were read.
        return [_of_creature(roll, names[roll.combatant_id]) for roll in rolls if roll.combatant_id in names]

    def shown_notes(self, asked: LogFilters, since: datetime | None, until: datetime | None) -> list[Reveal]:
        """The times between two moments at which notes were shown, newest first, of the notes that this person reads
        now."""
        if asked.character or asked.kind or asked.rolls:
            return []
        found = self._during(reveals_for(self.member), self.mark(asked.session))
        if asked.who:
            found = found.filter(by=self.people.get(asked.who))
        return list(_between(found, since, until))

    def _rolls_of(self, changes: Iterable[Change]) -> dict[int, list[RollRecord]]:
        """The rolls of these changes that this person may see."""
        found: dict[int, list[RollRecord]] = defaultdict(list)
        for row in self.rolls().filter(change__in=[one.pk for one in changes]).order_by("pk"):
            found[row.change_id].append(row)
        return found

    def _actor_of(self, change: Change) -> str:
        if change.actor_id is None:
            guest = self.people.get(str(change.guest_then))
            return guest.name if guest else "a guest"
        member = self._accounts.get(change.actor_id)
        return member.name if member else str(change.actor)


def _between(found: QuerySet, since: datetime | None, until: datetime | None) -> QuerySet:
    """The rows from `since` up to but not including `until`; None for no bound."""
    found = found.filter(at__gte=since) if since else found
    return found.filter(at__lt=until) if until else found


def _of_creature(roll: CreatureRoll, name: str) -> Throw:
    dice = OpenRoll(roll.name, roll.faces, roll.total)
    return Throw(None, roll.at, None, name, str(roll.by or ""), [dice], secret=roll.secret)
