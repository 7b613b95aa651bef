"""The lead of a table: handed over by its storyteller, or taken up when their account is gone (decision 052)."""

from collections.abc import Iterable
from datetime import datetime

from django.utils import timezone

from campaigns.campaign_access import changing, row_of
from campaigns.models import Member
from campaigns.roles import HELPS, LEADS, OWN, RUN, SEE
from campaigns.verbs.campaigns import MOST_LED
from campaigns.verbs.seats import regrant
from characters.change.refusals import Refused
from characters.people import Person


def hand_over(pk: int, person: Person, member: int) -> Member:
    """From now on this member leads the table, and the former storyteller is a co-storyteller. Only an account can
    lead."""
    with changing(pk, person, OWN) as leader:
        found = row_of(leader.campaign.members.filter(gone_at=None), member)
        if found == leader:
            raise Refused("You already lead this campaign.", "member")
        leader.role = HELPS
        leader.save(update_fields=["role"])  # first, since there may be only one storyteller
        _lead(found, timezone.now())
    return found


def take_up(pk: int, person: Person) -> Member:
    """From now on this person leads a table that nobody leads."""
    with changing(pk, person, SEE) as member:
        people = list(Member.objects.filter(campaign=pk, gone_at=None))
        if not is_open(people):
            raise Refused("Someone already leads this campaign.")
        if not may_take_up(member, people):
            raise Refused(
                "Only a co-storyteller can take over this campaign."
                if member.user_id is not None
                else "You need an account to lead a campaign."
            )
        _lead(member)
    return member


def tell_heirs(leader: Member) -> None:
    """Tell those who may take up this leader's table that nobody leads it any more."""
    people = list(leader.campaign.members.filter(gone_at=None).exclude(pk=leader.pk))
    heirs = [one.pk for one in people if may_take_up(one, people)]
    Member.objects.filter(pk__in=heirs).update(news_at=timezone.now())


def is_open(people: Iterable[Member]) -> bool:
    """True if none of these members is the storyteller, whose account is then gone."""
    return not any(one.may(OWN) for one in people)


def may_take_up(member: Member, people: Iterable[Member]) -> bool:
    """True if this member may lead a table that nobody leads: a co-storyteller with an account or, if there is none,
    any member with one."""
    helpers = [one for one in people if one.may(RUN) and one.user_id is not None]
    return member.user_id is not None and (not helpers or member.may(RUN))


def _lead(member: Member, news_at: datetime | None = None) -> None:
    if member.user_id is None:
        raise Refused(f"{member} has no account yet, and needs one to lead a campaign.", "member")
    if Member.objects.filter(user=member.user_id, role=LEADS).count() >= MOST_LED:
        raise Refused(f"{member} leads {MOST_LED} campaigns already, and that is the limit.", "member")
    member.campaign.members.update(news_at=None)
    member.role, member.news_at = LEADS, news_at
    member.save(update_fields=["role", "news_at"])
    regrant(member.campaign)
