"""Polyhedral: pools of six-sided dice against a target.

The engine calls `level_of`, `given`, `build_rolls`, `build_attacks`, `dice_stand` and `audit`; the site also reads
the modules imported here by name.
"""

from . import answer, chance, creation, file, odds, paths, places, play, present, rolling, steps, table, wealth
from .attacks import build_attacks, dice_stand
from .audit import audit
from .level import UNREAD, at_level, at_start, by_milestone, given, level_of, under, xp_for
from .rolls import build_rolls, check

__all__ = [
    "UNREAD",
    "answer",
    "at_level",
    "at_start",
    "audit",
    "build_attacks",
    "build_rolls",
    "by_milestone",
    "chance",
    "check",
    "creation",
    "dice_stand",
    "file",
    "given",
    "level_of",
    "odds",
    "paths",
    "places",
    "play",
    "present",
    "rolling",
    "steps",
    "table",
    "under",
    "wealth",
    "xp_for",
]
