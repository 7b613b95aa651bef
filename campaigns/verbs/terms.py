"""The terms of a table, decided by those who run it."""

from collections.abc import Mapping

from campaigns.campaign_access import changing
from campaigns.following import tell_followers
from campaigns.models import CampaignTerms
from campaigns.new_characters import Terms, terms_of
from campaigns.roles import RUN
from characters.change.gain_experience import MOST
from characters.change.refusals import Refused, StalePage
from characters.people import Person
from characters.read.prose import digest_of
from rules.games.house_rules import unfit


def digest(terms: Terms) -> str:
    """A digest of the terms that an edit starts from."""
    return digest_of({"switches": dict(terms.starting_switches), "more_xp": terms.more_xp})


def decide(pk: int, person: Person, *, switches: Mapping[str, str], more_xp: int, was: str | None = None) -> Terms:
    """Decide the terms at which characters begin here from now on; those who sit here already do not change.

    switches: house rules on how characters begin; those left out are at their defaults. was: the digest of the terms
    that the form showed. Raises StalePage if others are in force by now.
    """
    with changing(pk, person, RUN) as member:
        terms = terms_of(member.campaign)
        stored, sent = (dict(terms.starting_switches), terms.more_xp), (dict(switches), more_xp)
        if was not in (None, digest(terms)) and stored != sent:
            raise StalePage
        for key, value in switches.items():
            if key not in terms.game.terms:
                raise Refused("There is no such house rule for new characters.", key)
            if why_not := unfit(terms.bundle.switches[key], value):
                raise Refused(why_not, key)
        defaults = {"switches": dict(switches), "more_xp": more_xp}
        CampaignTerms.objects.update_or_create(campaign=member.campaign, defaults=defaults)
        new = terms_of(member.campaign)
        levels = new.game.levels
        if new.beginning.xp > MOST:
            raise Refused(f"That adds up to more than {MOST:,} {levels.POINTS}.", levels.STARTING or "more_xp")
        if levels.STARTING and new.level != levels.level_of(new.bundle, levels.at_start(new.bundle, new.beginning)):
            sentence = (
                f"That much {levels.POINTS} makes {levels.NAME} {new.level}. Choose it as the starting {levels.NAME}."
            )
            raise Refused(sentence, "more_xp")
        tell_followers(pk)
    return new
