"""Begins an encounter, ends it, and continues the last one."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils import timezone

from campaigns.campaign_access import changing, row_of
from campaigns.following import tell_followers
from campaigns.models import Campaign, Combatant, Encounter
from campaigns.order import encounter_of
from campaigns.roles import RUN
from campaigns.verbs.combatants import place_creatures
from characters.change.refusals import Refused
from characters.people import Person


@dataclass(frozen=True)
class StartingCreatures:
    """Creatures of a kind that are there when an encounter begins."""

    creature: int  # the id of the kind
    many: int
    hidden: bool


def begin(pk: int, person: Person, key: str, coming: Iterable[StartingCreatures] = ()) -> Encounter:
    """Begin an encounter with every character that is played, or with all if none is, and with these creatures. If one
    is on already, the creatures join that one."""
    with changing(pk, person, RUN, key=key) as member:
        campaign = member.campaign
        known = campaign.encounters.filter(key=key).first() or encounter_of(campaign)
        encounter = known or _with_party(campaign, key)
        for one in coming:
            place_creatures(encounter, row_of(campaign.creatures, one.creature), key, many=one.many, hidden=one.hidden)
        tell_followers(pk)
    return encounter


def _with_party(campaign: Campaign, key: str) -> Encounter:
    encounter = Encounter.objects.create(campaign=campaign, key=key)
    seats = list(campaign.seats.filter(character__binned_at=None))
    party = [seat for seat in seats if seat.member_id is not None] or seats
    Combatant.objects.bulk_create(
        Combatant(encounter=encounter, seat=seat, key=key, place=place) for place, seat in enumerate(party, 1)
    )
    return encounter


def end(pk: int, person: Person, encounter: int) -> None:
    """End an encounter; it may be resumed. The party keeps all that has happened to it."""
    with changing(pk, person, RUN) as member:
        member.campaign.encounters.filter(pk=encounter, ended_at=None).update(ended_at=timezone.now())
        tell_followers(pk)


def resume(pk: int, person: Person, encounter: int) -> None:
    """Continue the last encounter, unless another one has begun."""
    with changing(pk, person, RUN) as member:
        encounters = member.campaign.encounters
        last = encounters.first()
        if last is None or last.pk != encounter:
            raise Refused("Another encounter has begun since then. Reload the page.")
        encounters.filter(pk=encounter).update(ended_at=None)
        tell_followers(pk)
