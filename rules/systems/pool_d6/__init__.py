"""Polyhedral: pools of six-sided dice against a target.

The engine calls `level_of`, `given`, `build_rolls`, `build_attacks` and `audit`; the site also reads the
modules imported here by name.
"""

from . import answer, chance, creation, file, paths, rolling, steps, wealth
from .attacks import build_attacks
from .audit import audit
from .level import given, level_of
from .rolls import build_rolls, check

__all__ = [
    "answer",
    "audit",
    "build_attacks",
    "build_rolls",
    "chance",
    "creation",
    "file",
    "given",
    "level_of",
    "paths",
    "rolling",
    "steps",
    "wealth",
]
