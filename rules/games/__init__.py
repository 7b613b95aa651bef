"""What differs between games: how a level, a roll and an attack are put together, and how their files read."""

from importlib import import_module
from types import ModuleType

# Imported when asked for: a game reads the engine's types, and the engine asks for the game.
GAMES = {"polyhedral": "rules.games.polyhedral"}


def game_of(key: str) -> ModuleType:
    """The module of a ruleset's `system`. Raises KeyError for a game this site does not know."""
    return import_module(GAMES[key])
