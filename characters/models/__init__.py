"""A player's decisions and all that has happened since. A character's facts change only through
`characters.change.journal`.

A unique constraint that begins with the character has an index, which also finds the character's rows. So the foreign
key has none: every change would have to write it.
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
