"""Polyhedral: pools of six-sided dice against a target.

The engine calls `level_of`, `given`, `build_rolls`, `build_attacks` and `audit`; the site also reads `dice`,
`creation`, `paths`, `steps`, `wealth` and `file`.
"""

from . import creation, steps, wealth
from .attacks import build_attacks
from .audit import audit
from .level import given, level_of
from .rolls import build_rolls

__all__ = ["audit", "build_attacks", "build_rolls", "creation", "given", "level_of", "steps", "wealth"]
