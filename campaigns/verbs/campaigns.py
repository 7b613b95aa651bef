"""The table itself: created, described, archived, deleted and restored."""

from hashlib import sha256
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from campaigns.campaign_access import changing
from campaigns.models import Campaign, Member
from campaigns.roles import LEADS, OWN
from campaigns.verbs.seats import regrant
from characters.change.announcements import announce
from characters.change.journal import check_key
from characters.change.refusals import KeyReused, Refused, StalePage, TooMany
from characters.models import Picture
from characters.people import Person
from characters.read.faces import DRAWN, EMBLEMS, PICTURE
from characters.read.prose import digest_of
from characters.verbs.begin import default_ruleset
from rules.models import Ruleset

MOST_LED = 200  # counted without a lock, as characters are (`characters/change/limits.py`)


def create(person: Person, key: str, *, name: str, description: str = "", ruleset: Ruleset | None = None) -> Campaign:
    """Create a campaign with this person as its storyteller. The same key returns the same campaign. Without a
    `ruleset`, it uses the one that was loaded first."""
    check_key(key)
    if person.user is None:
        raise Refused("To lead a campaign, sign up or sign in first.")
    what = {"name": name, "description": description, "ruleset": ruleset or default_ruleset()}
    try:
        with transaction.atomic(durable=True):
            if Member.objects.filter(user=person.user, role=LEADS).count() >= MOST_LED:
                raise TooMany(f"You lead {MOST_LED} campaigns, counting those in the bin, and that is the limit.")
            campaign = Campaign.objects.create(**what, key=key)
            known = person.user.get_username()[:40]
            Member.objects.create(campaign=campaign, user=person.user, name=known, role=LEADS)
    except IntegrityError:
        same = Campaign.objects.filter(**what, key=key, members__user=person.user, members__role=LEADS)
        if (campaign := same.first()) is None:
            raise KeyReused from None
    return campaign


def described(campaign: Campaign) -> dict[str, Any]:
    """The columns of its settings."""
    return {column: getattr(campaign, column) for column in ("name", "description", "accounts_only")}


def describe(pk: int, person: Person, *, saw: str | None = None, **columns: object) -> Campaign:
    """Change the settings. saw: the digest of the settings that the form showed. If someone else has changed them
    since, nothing is stored.
    """
    with changing(pk, person, OWN) as member:
        stored = described(member.campaign)
        if saw not in (None, digest_of(stored)) and {**stored, **columns} != stored:
            raise StalePage
        return _written(member.campaign, **columns)


def set_face(pk: int, person: Person, *, face: str) -> Campaign:
    """Set a drawn emblem by its name; "" for the initials."""
    if face and face not in EMBLEMS:
        raise Refused("There is no such emblem. Choose one of those shown.", "face")
    with changing(pk, person, OWN) as member:
        return _with_face(member.campaign, face and f"{DRAWN}:{face}")


def set_picture(pk: int, person: Person, *, picture: bytes) -> Campaign:
    """Set an uploaded picture, as `portraits.portrait` has written it. Uploading the same again changes nothing."""
    with changing(pk, person, OWN) as member:
        digest = _own_digest(member.campaign, picture)
        Picture.objects.get_or_create(digest=digest, defaults={"data": picture, "size": len(picture)})
        return _with_face(member.campaign, f"{PICTURE}:{digest}")


def _own_digest(campaign: Campaign, picture: bytes) -> str:
    """The name of a picture that is this table's alone, so that it can be deleted with the face."""
    return sha256(f"campaign {campaign.pk} ".encode() + picture).hexdigest()


def _with_face(campaign: Campaign, face: str) -> Campaign:
    """Give the campaign this face, and delete its former picture, which no undo could bring back. A picture that others
    may also use is left to the nightly cleanup."""
    before = Picture.objects.filter(digest=campaign.face.removeprefix(f"{PICTURE}:")).first()
    if before and face != campaign.face and before.digest == _own_digest(campaign, bytes(before.data)):
        before.delete()
    return _written(campaign, face=face)


def archive(pk: int, person: Person, *, over: bool) -> Campaign:
    """Move the campaign into the archive, or with `over=False` back out of it. Everyone there still sees it."""
    with changing(pk, person, OWN) as member:
        return _written(member.campaign, archived_at=timezone.now() if over else None)


def throw_away(pk: int, person: Person) -> Campaign:
    """Move the campaign into the bin: only its storyteller finds it there, and only to restore it. The streams of its
    screens end. Repeating it changes nothing."""
    with changing(pk, person, OWN, binned=True) as member:
        campaign = member.campaign
        if campaign.binned_at is not None:
            return campaign
        _written(campaign, binned_at=timezone.now())
        for screen in campaign.screens.filter(ended_at=None).values_list("pk", flat=True):
            announce("screen", screen)
        for character in campaign.seats.values_list("character", flat=True):
            announce("unseated", character, pk)
    return campaign


def restore(pk: int, person: Person) -> Campaign:
    """Move the campaign out of the bin. Repeating it changes nothing."""
    with changing(pk, person, OWN, binned=True) as member:
        campaign = member.campaign
        return campaign if campaign.binned_at is None else _written(campaign, binned_at=None)


def _written(campaign: Campaign, **columns: Any) -> Campaign:
    for column, value in columns.items():
        setattr(campaign, column, value)
    campaign.save(update_fields=list(columns))
    regrant(campaign)
    return campaign
