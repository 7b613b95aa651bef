"""The game that a table plays."""

from campaigns.models import Campaign, CampaignRules, CampaignTerms
from characters.verbs.begin import a_game
from rules.games import GAMES
from rules.games.contract import Game
from rules.models import Ruleset


def game_of(campaign: Campaign) -> Game:
    """That of the character who sat down first; before that, the one that new characters have."""
    return GAMES[_first_seated(campaign).game]


def ruleset_of(campaign: Campaign, rules: CampaignRules | None, terms: CampaignTerms | None = None) -> Ruleset:
    """As decided by the house rules, else by the terms, else that of whoever sat down first."""
    decided = rules or terms
    return decided.ruleset if decided else _first_seated(campaign)


def _first_seated(campaign: Campaign) -> Ruleset:
    seat = campaign.seats.select_related("character__ruleset").first()
    return seat.character.ruleset if seat else a_game()
