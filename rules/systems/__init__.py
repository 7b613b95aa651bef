"""What differs between games: how a level, a roll and an attack are put together, and how their files read."""

from types import ModuleType

from . import pool_d6

SYSTEMS: dict[str, ModuleType] = {"pool_d6": pool_d6}


def system_of(key: str) -> ModuleType:
    """The module of a ruleset's `system`. Raises KeyError for a system this site does not know."""
    return SYSTEMS[key]
