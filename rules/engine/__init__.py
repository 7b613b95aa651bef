"""The pure rules engine: plain data in, a sheet with its explanation out. Imports no Django."""

from .as_at import as_at, last_level, rested
from .build import Award, Build, Decision, Held, Item
from .bundle import Bundle, merge
from .derive import derive, explain
from .difference import Moved, difference
from .follow import counters_after, follow
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
    "Moved",
    "Sheet",
    "Step",
    "as_at",
    "counters_after",
    "derive",
    "difference",
    "explain",
    "last_level",
    "merge",
    "options_for",
    "follow",
    "rested",
]
