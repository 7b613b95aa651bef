"""The pure rules engine: plain data in, a sheet with its explanation out. Imports no Django."""

from .at_level import build_at_level, last_level, rested, up_to
from .build import Award, Build, Decision, Held, Item
from .bundle import Bundle, merge
from .derive import derive, explain
from .difference import DiffLine, difference
from .options import options_for
from .sheet import Sheet, Step

__all__ = [
    "Award",
    "Build",
    "Bundle",
    "Decision",
    "Held",
    "Item",
    "DiffLine",
    "Sheet",
    "Step",
    "build_at_level",
    "derive",
    "difference",
    "explain",
    "last_level",
    "merge",
    "options_for",
    "rested",
    "up_to",
]
