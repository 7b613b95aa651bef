"""The content of the games as tables. See docs/design.md, "Rules are rows"."""

from .action import Action, ActionTiming
from .choice import Choice, ChoiceOption
from .circumstance import Circumstance, CircumstanceTest, Prerequisite, Requirement
from .effect import Effect, Grant, Note, RollModifier, StatModifier
from .element import (
    ELEMENT_CLASSES,
    Background,
    Category,
    CoreRules,
    Culture,
    DamageType,
    Disposition,
    Element,
    Feature,
    Gear,
    Knowledge,
    Language,
    Lineage,
    Path,
    Size,
    Talent,
    Tool,
    WeaponProperty,
)
from .items import Ability, Armor, Condition, Job, PropertyUse, Skill, Suggestion, Weapon
from .lookup import LookupRow, LookupTable
from .resource import Recovery, Resource, RestEvent
from .ruleset import HouseRules, Ruleset, Source, Switch, SwitchValue
from .stat import Stat

__all__ = [
    "ELEMENT_CLASSES",
    "Ability",
    "Action",
    "ActionTiming",
    "Armor",
    "Background",
    "Category",
    "Choice",
    "ChoiceOption",
    "Circumstance",
    "CircumstanceTest",
    "Condition",
    "CoreRules",
    "Culture",
    "DamageType",
    "Disposition",
    "Effect",
    "Element",
    "Feature",
    "Gear",
    "Grant",
    "HouseRules",
    "Job",
    "Knowledge",
    "Language",
    "Lineage",
    "LookupRow",
    "LookupTable",
    "Note",
    "Path",
    "Prerequisite",
    "PropertyUse",
    "Recovery",
    "Requirement",
    "Resource",
    "RestEvent",
    "RollModifier",
    "Ruleset",
    "Size",
    "Skill",
    "Source",
    "Stat",
    "StatModifier",
    "Suggestion",
    "Switch",
    "SwitchValue",
    "Talent",
    "Tool",
    "Weapon",
    "WeaponProperty",
]
