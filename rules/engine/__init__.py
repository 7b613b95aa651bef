"""The pure rules engine: plain data in, a sheet with its explanation out. Imports no Django."""

from .as_at import as_at, last_level, rested
from .build import Award, Build, Decision, Held, Item
from .bundle import Bundle, merge
from .derive import derive, explain
from .difference import Moved, difference
from .options import options_for
from .sheet import Sheet, Step

__all__ = [
    "Award",
    "Build",
    "Bundle",
    "Decision",
    "Held",
    "Item",
    "Moved",
    "Sheet",
    "Step",
    "as_at",
    "derive",
    "difference",
    "explain",
    "last_level",
    "merge",
    "options_for",
    "rested",
]
