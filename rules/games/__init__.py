"""The games of this site, by the name that rulesets use. Each is a folder here and fulfills the contract."""

from . import polyhedral
from .contract import Game

GAMES: dict[str, Game] = {game.name: game for game in (polyhedral.GAME,)}
