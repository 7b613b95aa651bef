"""What may be asked for at the table: for each action its fields with their shapes and bounds, and the verb it calls.

The rules are asked by the verbs; a field only says what it may hold.
"""

from . import body, dice, story, things, times
from .dice import region_of
from .registry import ACTIONS, Action

__all__ = ["ACTIONS", "Action", "body", "dice", "region_of", "story", "things", "times"]
