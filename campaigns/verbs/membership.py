"""The people at a table: invited, joined, left, removed."""

from datetime import timedelta

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import F, Max, Q
from django.http import Http404
from django.utils import timezone

from campaigns.campaign_access import changing, locked, row_of
from campaigns.models import Campaign, DateSeen, Invite, Member, Reveal, RolledSet
from campaigns.roles import HELPS, OWN, PLAYS, RUN, SEE, may, rank
from campaigns.verbs import other_device, seats
from characters.access import is_person
from characters.change.announcements import announce
from characters.change.refusals import KeyReused, Refused
from characters.people import Person, hashed
from characters.tokens import token_for

MOST_PEOPLE = 60
MOST_INVITES = 20
ARCHIVED = "Nobody can join a campaign in the archive. Its storyteller can take it out, under Settings."


class InviteOver(Refused):
    """An invite that lets nobody in any more."""

    def __init__(self) -> None:
        super().__init__("This invite no longer works. Ask your storyteller for a new one.")


def may_invite(role: str) -> list[str]:
    """The roles that someone of this role may invite to, the usual one first."""
    return [PLAYS, "spectator", *[HELPS] * may(role, OWN)]


def make_invite(pk: int, person: Person, key: str, *, role: str, most: int, days: int) -> str:
    """The token of a new invite, which is shown this once. The same key gives the same token."""
    with changing(pk, person, RUN, key=key) as member:
        token = token_for("invite", pk, key)
        invite = Invite.objects.filter(campaign=pk, token=hashed(token)).first()
        if invite is None:
            if role not in may_invite(member.role):
                raise Refused("Only the storyteller can invite co-storytellers.", "role")
            if member.campaign.archived_at is not None:
                raise Refused(ARCHIVED)
            if len(working_invites(member.campaign)) >= MOST_INVITES:
                raise Refused(f"There are {MOST_INVITES} invites already. Delete one that nobody needs.")
            until = timezone.now() + timedelta(days=days)
            Invite.objects.create(campaign_id=pk, token=hashed(token), role=role, most=most, expires_at=until)
        elif (invite.role, invite.most, invite.days) != (role, most, days):
            raise KeyReused
        elif invite.over:
            raise InviteOver
    return token


def working_invites(campaign: Campaign) -> list[Invite]:
    """The invites that let people in, the newest first: none as long as the table is in the archive."""
    if campaign.archived_at is not None:
        return []
    return [invite for invite in campaign.invites.filter(revoked_at=None) if not invite.over]


def revoke_invite(pk: int, person: Person, invite: int) -> None:
    with changing(pk, person, RUN) as member:
        invites = member.campaign.invites
        found = row_of(invites, invite)
        invites.filter(pk=found.pk, revoked_at=None).update(revoked_at=timezone.now())


def invite_of(token: str) -> Invite:
    """The invite of a link, over or not; Http404 if there is none, or its table is in the bin."""
    found = Invite.objects.filter(token=hashed(token), campaign__binned_at=None).select_related("campaign").first()
    if found is None:
        raise Http404("No such invite.")
    return found


def place_of(campaign: Campaign, person: Person) -> Member | None:
    """This person's place at the table, ended or not. If they came both as a guest and with an account, the one that
    has not ended, or the more powerful one."""
    rows = campaign.members.filter(is_person(person))
    return min(rows, key=lambda one: (one.gone_at is not None, rank(one.role)), default=None)


def is_from_before(invite: Invite, member: Member | None) -> bool:
    """True if this person left the table, or was removed, after the invite was made."""
    return member is not None and member.gone_at is not None and member.gone_at >= invite.made_at


def join(token: str, person: Person, *, name: str) -> Member:
    """Sit down by an invite. A member who is there already gets the invite's role if it may do more than theirs;
    otherwise nothing changes, and the invite is not used up.

    Raises InviteOver, or Refused for someone who left or was removed after the invite was made, and for a guest who
    chooses the name of someone at the table; an account brings its own name.
    """
    with transaction.atomic(durable=True):
        campaign = Campaign.objects.select_for_update().get(pk=invite_of(token).campaign_id)
        invite = invite_of(token)  # read again under the lock
        member = place_of(campaign, person)
        here = member if member is not None and member.gone_at is None else None
        if here is not None and rank(invite.role) >= rank(here.role):
            return here
        if invite.over or campaign.archived_at is not None:
            raise InviteOver
        if invite.asks_for_account and person.user is None:
            raise Refused("This invite asks for an account. Sign in or sign up first.")
        if here is None:
            if is_from_before(invite, member):
                raise Refused("This invite is from before you left this table. Ask your storyteller for a new one.")
            if campaign.members.filter(gone_at=None).count() >= MOST_PEOPLE:
                raise Refused(f"There are {MOST_PEOPLE} people at this table, and that is the limit.")
            if person.user is None:
                _check_name_is_free(campaign, name)
        Invite.objects.filter(pk=invite.pk).update(uses=F("uses") + 1)
        if member is None:
            member = Member(campaign=campaign, **person.columns)
        member.name, member.role, member.gone_at, member.news_at = name, invite.role, None, None
        # For a new member, older notes are not news.
        reveals = Reveal.objects.filter(note__campaign=campaign)
        member.reveals_seen = reveals.aggregate(newest=Max("pk", default=0))["newest"]
        member.save()
        seats.regrant(campaign)
    return member


def _check_name_is_free(campaign: Campaign, name: str) -> None:
    """Raise Refused if someone at the table has this name. Capitals make no difference."""
    for taken in campaign.members.filter(gone_at=None).values_list("name", flat=True):
        if taken.casefold() == name.casefold():
            raise Refused(f"Someone here is already called {taken}. Add something to the name.", "name")


def leave(pk: int, person: Person) -> None:
    """End this person's own place. Repeating it changes nothing; Http404 if they never had a place there."""
    with transaction.atomic(durable=True):
        campaign = Campaign.objects.select_for_update().filter(pk=pk).first()
        place = campaign and place_of(campaign, person)
        if place is None or place.gone_at is None:
            _end_place(locked(pk, person, SEE))


def remove(pk: int, person: Person, member: int) -> Member:
    """Remove someone from the table, from their next request on. Only the storyteller can remove co-storytellers.
    Repeating it changes nothing."""
    with changing(pk, person, RUN) as asking:
        found = row_of(asking.campaign.members, member)
        if found != asking and not may_remove(asking, found):
            raise Refused("Only the storyteller can remove co-storytellers.")
        if found.gone_at is None:
            _end_place(found, told=found != asking)
    return found


def news_seen(pk: int, person: Person) -> None:
    """Someone has seen what is new about their place at the table. Repeating it changes nothing; Http404 if they never
    had a place there."""
    if not Member.objects.filter(is_person(person), campaign__pk=pk).update(news_at=None):
        raise Http404("No such campaign.")


def make_player(pk: int, person: Person, member: int) -> Member:
    """Make a co-storyteller a player again, who keeps their seats. Only the storyteller can."""
    with changing(pk, person, OWN) as asking:
        found = row_of(asking.campaign.members.filter(gone_at=None, role__in=[HELPS, PLAYS]), member)
        found.role = PLAYS
        found.save(update_fields=["role"])
        seats.regrant(asking.campaign)
    return found


def may_remove(asking: Member, other: Member) -> bool:
    """True if the one who asks may remove the other: nobody removes the storyteller, and only they remove
    co-storytellers."""
    return not other.may(OWN) and (not other.may(RUN) or asking.may(OWN))


def _end_place(member: Member, *, told: bool = False) -> None:
    """End this person's place. `told`: notify them, since someone else has ended it."""
    if member.may(OWN):
        raise Refused("The storyteller cannot leave. Hand the campaign over first, or archive or delete it.")
    member.gone_at = timezone.now()
    member.news_at = member.gone_at if told else None
    member.save(update_fields=["gone_at", "news_at"])
    announce("member", member.pk)
    other_device.end_links(member)
    seats.clear_seats_of(member)


def _merge(guest: Member, known: Member) -> None:
    """Merge the two rows that one person had at a table: all that belongs to the guest's goes to the account's, which
    gets the more powerful role of both. The guest's dice and seen dates are dropped if the account has its own."""
    here = [one for one in (guest, known) if one.gone_at is None]
    if here:
        role = min((one.role for one in here), key=rank)
        Member.objects.filter(pk=known.pk).update(role=role, gone_at=None)
    seen = max(guest.reveals_seen, known.reveals_seen)
    Member.objects.filter(pk=known.pk).update(reveals_seen=seen)
    own = {
        RolledSet: Q(replaced_at=None, campaign__in=known.rolled_sets.filter(replaced_at=None).values("campaign")),
        DateSeen: Q(date__in=DateSeen.objects.filter(member=known).values("date")),
    }
    for relation in Member._meta.related_objects:
        rows = relation.related_model.objects.filter(**{relation.field.name: guest})
        rows.exclude(own.get(relation.related_model, Q(pk__in=[]))).update(**{relation.field.name: known})
    guest.delete()


def lock_tables(person: Person) -> list[int]:
    """Lock the tables of someone who signs in or deletes their account, before their characters and roles: every verb
    of a table locks the table first. Returns their ids. These are all the tables concerned: characters sit only where
    their people are members."""
    tables = Member.objects.filter(is_person(person)).values("campaign")
    found = Campaign.objects.select_for_update().filter(pk__in=tables).order_by("pk")
    return list(found.values_list("pk", flat=True))


def claim_seats(guest: str, user: AbstractBaseUser) -> None:
    """Give a guest's seats to their account. Part of signing in, after their characters have become the account's."""
    tables = Member.objects.filter(guest=guest).order_by("campaign").values_list("campaign", flat=True)
    for pk in list(tables) if guest else []:
        campaign = Campaign.objects.select_for_update().get(pk=pk)
        member = campaign.members.filter(guest=guest).first()
        if member is None:
            continue  # another device has taken over the seat meanwhile
        known = Member.objects.filter(campaign=member.campaign_id, user=user).first()
        if known is None:
            Member.objects.filter(pk=member.pk).update(user=user, guest="", guest_until=timezone.now())
        else:
            _merge(member, known)
        seats.regrant(campaign)
