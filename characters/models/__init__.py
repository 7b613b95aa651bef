"""A player's decisions and all that has happened since. Every row changes only through `characters.change.journal`.

A unique constraint that begins with the character finds a character's rows too: the foreign key has no index of its
own, which every change would have to write.
"""

from .beginning import Beginning
from .character import Character
from .choices import Aspect, Award, Decision, PlannedDecision, StatInput
from .grant import Grant
from .history import Change, not_undone
from .introduction import Introduction
from .link import Link
from .looked import Looked
from .picture import Picture
from .play import Downtime, Note, Relationship, RollRecord, Spell
from .proposal import Proposal, waiting
from .state import CharacterCondition, CharacterToggle, InventoryItem, ResourceState

__all__ = [
    "Aspect",
    "Award",
    "Beginning",
    "Change",
    "Character",
    "CharacterCondition",
    "CharacterToggle",
    "Decision",
    "Downtime",
    "Grant",
    "Introduction",
    "InventoryItem",
    "Link",
    "Looked",
    "Note",
    "Picture",
    "PlannedDecision",
    "Proposal",
    "Relationship",
    "ResourceState",
    "RollRecord",
    "Spell",
    "StatInput",
    "not_undone",
    "waiting",
]
