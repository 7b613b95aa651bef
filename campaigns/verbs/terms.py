"""The terms of a table: decided by who runs it."""

from collections.abc import Mapping

from django.db import transaction

from campaigns.campaign_access import locked
from campaigns.models import CampaignTerms
from campaigns.moved import moved
from campaigns.new_characters import Terms, terms_of
from campaigns.roles import RUN
from characters.change.experience import MOST
from characters.change.journal import Refused
from characters.people import Person
from rules.games.house_rules import unfit


def decide(pk: int, person: Person, *, switches: Mapping[str, str], more_xp: int) -> Terms:
    """Characters begin here at these from now on; nobody who sits here already changes.

    switches: house rules on how characters begin; what is not there is at its default.
    """
    with transaction.atomic(durable=True):
        campaign = locked(pk, person, RUN).campaign
        terms = terms_of(campaign)
        for key, value in switches.items():
            if key not in terms.game.terms:
                raise Refused("There is no such house rule of how characters begin.", key)
            if why_not := unfit(terms.bundle.switches[key], value):
                raise Refused(why_not, key)
        defaults = {"ruleset": terms.ruleset, "switches": dict(switches), "more_xp": more_xp}
        CampaignTerms.objects.update_or_create(campaign=campaign, defaults=defaults)
        decided = terms_of(campaign)
        if decided.beginning.xp > MOST:
            raise Refused(f"That takes more than {MOST:,} XP.", decided.game.levels.STARTING or "more_xp")
        at_start = decided.game.levels.at_start(decided.bundle, decided.beginning)
        if decided.level != decided.game.levels.level_of(decided.bundle, at_start):
            raise Refused(f"That much XP makes level {decided.level}. Choose it as the starting level.", "more_xp")
        moved(pk)
    return decided
