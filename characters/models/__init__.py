"""What a player decided and what has happened since. Every row changes only through `characters.journal`."""

from .character import Character, CharacterQuerySet
from .choices import Aspect, Award, Decision, PlannedDecision, StatInput
from .history import Change
from .play import Downtime, Note, Relationship, RollRecord
from .state import CharacterCondition, CharacterToggle, InventoryItem, ResourceState

__all__ = [
    "Aspect",
    "Award",
    "Change",
    "Character",
    "CharacterCondition",
    "CharacterQuerySet",
    "CharacterToggle",
    "Decision",
    "Downtime",
    "InventoryItem",
    "Note",
    "PlannedDecision",
    "Relationship",
    "ResourceState",
    "RollRecord",
    "StatInput",
]
