"""The kinds of things that wait for a person: a table with a query and the words for each."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce, Now
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format

from campaigns.campaign_access import present_memberships
from campaigns.models import Agreement, Campaign, DateSeen, Member, Pairing, Purchase, Reveal, Seat, SessionDate
from campaigns.roles import OWN
from campaigns.shown_purchases import waiting_for
from campaigns.verbs.campaign_notes import shown_to
from characters.access import answered_by, is_person
from characters.actions.proposals import asks_for_roll
from characters.models import Character, Proposal, waiting
from characters.models.character import UNNAMED
from characters.people import Person
from characters.unseen import changed_characters, unseen_by_character

MOST = 200  # of each kind, on the page


@dataclass(frozen=True)
class Notification:
    """One thing that waits: its subject, its text, and the page that answers it. A date can go into a calendar, too.
    seen: the address that marks it as seen, if there is nothing to answer."""

    about: str
    words: str
    path: str
    date: SessionDate | None = None
    seen: str = ""


@dataclass(frozen=True)
class NotificationKind:
    """label: its name in the choice of what comes by mail. rows: the query for what waits for a person, each row since
    its `moment`. listed: those rows as lines of the page. counted: a query with one row for each of those lines, if a
    line stands for several of `rows`."""

    label: str
    rows: Callable[[Person], QuerySet]
    moment: str
    listed: Callable[[QuerySet], list[Notification]]
    counted: Callable[[Person], QuerySet] | None = None

    def lines(self, person: Person) -> QuerySet:
        return (self.counted or self.rows)(person)


# Proposals for a character, and rolls asked of it: a line for each character.


def _proposed(which: Callable[[], Q], person: Person) -> QuerySet:
    played = Character.objects.filter(answered_by(person))
    return Proposal.objects.filter(waiting(), which(), character__in=played)


def _characters_with(which: Callable[[], Q], person: Person) -> QuerySet:
    proposed = Proposal.objects.filter(waiting(), which(), character=OuterRef("pk"))
    return Character.objects.filter(answered_by(person), Exists(proposed))


def _asks_for_none() -> Q:
    return ~asks_for_roll()


def _by_character(one: str, many: str, proposed: QuerySet) -> list[Notification]:
    rows = proposed.order_by("character__name", "character").values_list("character", "character__name")[:MOST]
    found = Counter(rows).items()
    return [_of_sheet(pk, name, one if n == 1 else f"{n} {many}", "proposed") for (pk, name), n in found]


def _of_sheet(pk: int, name: str, words: str, part: str) -> Notification:
    return Notification(name or UNNAMED, words, f"{reverse('characters:sheet', args=[pk])}#{part}")


# Changes of a character by others. Only the first unseen one is news.


def _changed(characters: QuerySet) -> list[Notification]:
    def line(row: dict[str, Any]) -> Notification:
        times = "once" if row["many"] == 1 else f"{row['many']} times"
        return _of_sheet(row["character"], row["character__name"], f"changed {times} since you last looked", "looked")

    return [line(row) for row in characters.order_by("-newest", "character")[:MOST]]


# Agreements between several players of a table.


def _pairings(person: Person) -> QuerySet:
    """The relationships that wait for this person's Yes, at tables where both characters are played."""

    def waits(side: str, other: str) -> Q:
        played = Seat.objects.filter(campaign=OuterRef("campaign"), character__binned_at=None)
        said = Agreement.objects.filter(pairing=OuterRef("pk"), character=OuterRef(side))
        return (
            Q(Exists(played.filter(character=OuterRef(side), member__in=present_memberships(person))))
            & Q(Exists(played.filter(character=OuterRef(other), member__isnull=False)))
            & ~Q(Exists(said))
        )

    return Pairing.objects.filter(
        waits("first", "second") | waits("second", "first"),
        declined_at=None,
        withdrawn_at=None,
        campaign__binned_at=None,
    )


def _relationships(pairings: QuerySet) -> list[Notification]:
    return [
        _to_agree(one, str(one), "a relationship", "relationships") for one in _by_table(pairings, "first", "second")
    ]


def _purchases(purchases: QuerySet) -> list[Notification]:
    return [
        _to_agree(one, str(one.buyer), "a shared purchase", "purchases", f"#purchase-{one.pk}")
        for one in _by_table(purchases, "buyer")
    ]


def _by_table(found: QuerySet, *related: str) -> QuerySet:
    return found.select_related("campaign", *related).order_by("campaign__name", "pk")[:MOST]


def _to_agree(one: Pairing | Purchase, about: str, what: str, page: str, part: str = "") -> Notification:
    path = reverse(f"campaigns:{page}", args=[one.campaign_id]) + part
    return Notification(about, f"{what} is waiting for your answer, at {one.campaign}", path)


# The next session.


def _dates(person: Person) -> QuerySet:
    """The dates to come at this person's tables that they have not seen in their present form."""
    seen = DateSeen.objects.filter(
        member__in=Member.objects.filter(is_person(person)), date=OuterRef("pk"), moved=OuterRef("moved")
    )
    return SessionDate.objects.filter(
        Exists(present_memberships(person).filter(campaign=OuterRef("campaign"))),
        ~Exists(seen),
        at__gt=Now(),
        campaign__binned_at=None,
        campaign__archived_at=None,
    )


def _next_sessions(dates: QuerySet) -> list[Notification]:
    def words(date: SessionDate) -> str:
        at = date_format(timezone.localtime(date.at), "l, j F Y, H:i")
        where = f", {date.place}" if date.place else ""
        is_on = "has changed. It is on" if date.moved else "is on"
        return f"the next session {is_on} {at} ({timezone.get_current_timezone_name()}){where}"

    return [
        Notification(str(date.campaign), words(date), date.campaign.get_absolute_url(), date)
        for date in dates.select_related("campaign").order_by("at", "pk")[:MOST]
    ]


# Notes that were shown to players: a line for each table.


def _reveals(person: Person) -> QuerySet:
    mine = present_memberships(person).filter(campaign=OuterRef("note__campaign"), reveals_seen__lt=OuterRef("pk"))
    by_others = mine.exclude(pk=Coalesce(OuterRef("by"), 0))
    return Reveal.objects.filter(
        Exists(by_others), shown_to(present_memberships(person)), note__campaign__binned_at=None
    )


def _tables_with_reveals(person: Person) -> QuerySet:
    return Campaign.objects.filter(pk__in=_reveals(person).values("note__campaign"))


def _notes(reveals: QuerySet) -> list[Notification]:
    tables = reveals.order_by("note__campaign__name", "pk").values_list("note__campaign", "note__campaign__name")[:MOST]
    return [
        Notification(
            name,
            "a note was shown to you" if many == 1 else f"{many} notes were shown to you",
            reverse("campaigns:notes", args=[pk]),
        )
        for (pk, name), many in Counter(tables).items()
    ]


# A person's place at a table: they lead it now, may take it over, or were removed.


def _places(person: Person) -> QuerySet:
    return Member.objects.filter(is_person(person), news_at__isnull=False, campaign__binned_at=None)


def _tables(members: QuerySet) -> list[Notification]:
    def line(member: Member) -> Notification:
        seen = reverse("campaigns:news-seen", args=[member.campaign_id])
        if member.gone_at is not None:
            words = "you were removed from this table. Your characters are still yours"
            return Notification(str(member.campaign), words, reverse("characters:list"), seen=seen)
        handed = "its storyteller has handed this campaign to you. You lead it now"
        words = handed if member.may(OWN) else "nobody leads this campaign now. You can take it over"
        return Notification(str(member.campaign), words, member.campaign.get_absolute_url(), seen=seen)

    return [line(one) for one in members.select_related("campaign").order_by("campaign__name", "pk")[:MOST]]


# In the order of the page. A constraint lists these names (`MailChoice` stores each person's choice of mail), so a new
# kind needs a migration of polyhedral_site.
KINDS = {
    "rolls": NotificationKind(
        "Rolls waiting for you",
        partial(_proposed, asks_for_roll),
        "made_at",
        partial(_by_character, "a roll is waiting for you", "rolls are waiting for you"),
        counted=partial(_characters_with, asks_for_roll),
    ),
    "proposals": NotificationKind(
        "Proposals for your characters",
        partial(_proposed, _asks_for_none),
        "made_at",
        partial(_by_character, "a proposal is waiting for your answer", "proposals are waiting for your answer"),
        counted=partial(_characters_with, _asks_for_none),
    ),
    "pairings": NotificationKind("Relationships to agree to", _pairings, "made_at", _relationships),
    "purchases": NotificationKind("Shared purchases to agree to", waiting_for, "made_at", _purchases),
    "dates": NotificationKind("The next session, with a file for your calendar", _dates, "changed_at", _next_sessions),
    "notes": NotificationKind("Notes shown to you", _reveals, "at", _notes, counted=_tables_with_reveals),
    "places": NotificationKind(
        "Campaigns that you now lead, may take over, or were removed from", _places, "news_at", _tables
    ),
    "changed": NotificationKind(
        "Changes to your characters while you were away",
        unseen_by_character,
        "oldest",
        _changed,
        counted=changed_characters,
    ),
}
