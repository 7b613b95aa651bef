"""The game that a table plays."""

from django.http import Http404

from campaigns.models import Campaign, CampaignRules, CampaignTerms
from characters.change.refusals import Refused
from characters.verbs.begin import a_game
from rules.fast_sql import MARKS, PreparedObjects
from rules.games import GAMES
from rules.games.contract import Game
from rules.models import Ruleset

DECIDED = PreparedObjects(
    lambda campaign: Campaign.objects.filter(pk=campaign).select_related("rules__ruleset", "terms__ruleset"), MARKS[0]
)


def game_of(campaign: Campaign) -> Game:
    """The game of the table's creatures and of its ring of relationships. Each character has its own game."""
    decided = DECIDED.first(campaign.pk)
    return GAMES[ruleset_of(campaign, getattr(decided, "rules", None), getattr(decided, "terms", None)).game]


def ruleset_of(campaign: Campaign, rules: CampaignRules | None, terms: CampaignTerms | None = None) -> Ruleset:
    """The ruleset that the house rules name, or else the terms, or else the first character that sat down; at an empty
    table, the one for new characters. Http404 if no rules are loaded."""
    decided = rules or terms
    return decided.ruleset if decided else _first_seated(campaign)


def _first_seated(campaign: Campaign) -> Ruleset:
    seat = campaign.seats.select_related("character__ruleset").first()
    if seat is not None:
        return seat.character.ruleset
    try:
        return a_game()
    except Refused as no_rules:
        raise Http404(no_rules.sentence) from no_rules
