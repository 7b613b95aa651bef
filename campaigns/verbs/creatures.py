"""The kinds of creatures that a campaign knows: created, described and archived."""

from typing import Any

from django.utils import timezone

from campaigns.campaign_access import changing, row_of
from campaigns.following import tell_followers
from campaigns.models import Campaign, Creature
from campaigns.order import encounter_of
from campaigns.roles import RUN
from campaigns.verbs.combatants import place_creatures
from campaigns.verbs.turn_order import made_by
from characters.change.arguments import fingerprint_of
from characters.change.refusals import Refused, StalePage
from characters.people import Person
from characters.read.prose import digest_of

MOST_CREATURES = 200


def create(pk: int, person: Person, key: str, *, many: int = 0, hidden: bool = False, **columns: object) -> Creature:
    """Add a new kind of creature to the campaign, and this many of it to the encounter if one is on."""
    with changing(pk, person, RUN, key=key) as member:
        campaign = member.campaign
        kinds, fingerprint = campaign.creatures, fingerprint_of(many=many, hidden=hidden, **columns)
        if known := made_by(kinds, key, fingerprint):
            return known
        check_room_for_kind(campaign)
        creature = kinds.create(key=key, fingerprint=fingerprint, **columns)
        if encounter := encounter_of(campaign):
            place_creatures(encounter, creature, key, many=many, hidden=hidden)
        tell_followers(pk)
    return creature


def check_room_for_kind(campaign: Campaign) -> None:
    """Raises Refused if the campaign has as many kinds as it may, without those in the archive."""
    if campaign.creatures.filter(archived_at=None).count() >= MOST_CREATURES:
        raise Refused(f"There are {MOST_CREATURES} creatures already. Archive one that you no longer need.", "name")


def described(creature: Creature) -> dict[str, Any]:
    """The columns that a storyteller writes."""
    return {column: getattr(creature, column) for column in ("name", "vital", "guard", "dice", "rolls", "notes")}


def digest(creature: Creature) -> str:
    """A digest of the stored state. An edit sends back the one it started from."""
    return digest_of(described(creature))


def describe(pk: int, person: Person, creature: int, *, was: str, **columns: object) -> Creature:
    """Change the name, the numbers, the rolls or the notes of a kind of creature; the losses of each stay.

    `was` is the digest that the edit started from; raises StalePage with the creature if something else is stored by
    now.
    """
    with changing(pk, person, RUN) as member:
        found = row_of(member.campaign.creatures, creature)
        stored = described(found)
        if {**stored, **columns} == stored:
            return found
        if was != digest(found):
            raise StalePage(stored=found)
        for column, value in columns.items():
            setattr(found, column, value)
        found.save(update_fields=list(columns))
        tell_followers(pk)
    return found


def archive(pk: int, person: Person, creature: int, *, over: bool) -> str:
    """Move a kind of creature into the archive, or with `over=False` back out of it. Returns the sentence that says so.
    Those in an encounter stay there."""
    with changing(pk, person, RUN) as member:
        found = row_of(member.campaign.creatures, creature)
        if found.archived_at and not over:
            check_room_for_kind(member.campaign)
        found.archived_at = timezone.now() if over else None
        found.save(update_fields=["archived_at"])
        tell_followers(pk)
    return f"{found} is {'in' if over else 'out of'} the archive."
