"""What differs between games: how a level, a roll and an attack are put together, and how their files read."""

from importlib import import_module
from types import ModuleType

# Imported when asked for: a system reads the engine's types, and the engine asks for the system.
SYSTEMS = {"pool_d6": "rules.systems.pool_d6"}


def system_of(key: str) -> ModuleType:
    """The module of a ruleset's `system`. Raises KeyError for a system this site does not know."""
    return import_module(SYSTEMS[key])
