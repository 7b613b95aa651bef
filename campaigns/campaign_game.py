"""The game that a table plays."""

from campaigns.models import Campaign
from characters.verbs.begin import a_game
from rules.games import GAMES
from rules.games.contract import Game


def game_of(campaign: Campaign) -> Game:
    """That of the character who sat down first; before that, the one that new characters have."""
    seat = campaign.seats.select_related("character__ruleset").first()
    return GAMES[(seat.character.ruleset if seat else a_game()).game]
