"""The pure rules engine: plain data in, a sheet with its explanation out. Imports no Django."""

from .at_level import build_at_level, last_level, rested, up_to
from .build import Award, Build, Decision, Held, Item
from .bundle import Bundle
from .derive import derive, derive_counters
from .difference import DiffLine, difference
from .options import options_for
from .sheet import Counters, Sheet, Step

__all__ = [
    "Award",
    "Build",
    "Bundle",
    "Counters",
    "Decision",
    "Held",
    "Item",
    "DiffLine",
    "Sheet",
    "Step",
    "build_at_level",
    "derive",
    "derive_counters",
    "difference",
    "last_level",
    "options_for",
    "rested",
    "up_to",
]
