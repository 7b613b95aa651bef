"""The columns of a pack with their keys in files, and the names that stand for ids of rows.

The plain form of a row is a dict from file key to value, with every key present. References are names ("skill:stealth",
a stat's key, a slug), "" for none; numbers are int or None; words of a vocabulary are as stored.
"""

from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from django.db import models

from rules.models import (
    Ability,
    Action,
    ActionTiming,
    Armor,
    Choice,
    Circumstance,
    CircumstanceTest,
    Condition,
    Effect,
    Element,
    Job,
    LookupRow,
    LookupTable,
    Prerequisite,
    PropertyUse,
    Recovery,
    Resource,
    RestEvent,
    Ruleset,
    Skill,
    Source,
    Spell,
    Stat,
    Suggestion,
    Switch,
    Weapon,
)
from rules.models.vocabulary import CostClass, EffectKind, Kind

from .yaml_text import tidy

type PlainRow = dict[str, Any]  # in plain form

NATURAL: dict[type[models.Model], tuple[str, ...]] = {
    Element: ("kind", "slug"),
    Stat: ("key",),
    Switch: ("key",),
    Circumstance: ("slug",),
    Resource: ("slug",),
    RestEvent: ("slug",),
    ActionTiming: ("slug",),
    LookupTable: ("slug",),
}
# References to rows that may be written later. They are filled in at the end.
LATER = {"spent_of", "created_of", "term", "parent", "armor_stat"}

# Words for classes of cost in files. The database has the number.
COST_WORDS = {number: label.lower().replace(" ", "-") for number, label in CostClass.choices}


@dataclass(frozen=True)
class Column:
    key: str  # in the file; in source_rows.py sometimes with its kind in front
    field: models.Field
    through: str = ""  # for a column of a kind's own table: the relation from the element to that table

    @cached_property
    def target(self) -> type[models.Model] | None:
        """The model that a reference refers to, as a key of NATURAL; None if the column is no reference."""
        if not self.field.is_relation:
            return None
        model = self.field.related_model
        return Element if issubclass(model, Element) else model

    @cached_property
    def kind(self) -> str:
        """The only kind of element that the reference may name; "" for any."""
        if self.target is not Element:
            return ""
        return getattr(self.field.related_model, "kind_of_class", None) or KIND_OF_COLUMN.get(self.field.name) or ""

    @cached_property
    def lookups(self) -> tuple[str, ...]:
        """The Django lookups that read the column; for a reference, those that read the name of its target."""
        name = f"{self.through}__{self.field.name}" if self.through else self.field.name
        return tuple(f"{name}__{part}" for part in NATURAL[self.target]) if self.target else (name,)

    def plain(self, values: tuple[Any, ...]) -> Any:
        """The plain form of the values that `lookups` read. Texts are tidied as in a file, because browsers send other
        line ends."""
        if self.target is None:
            return tidy(values[0]) if isinstance(self.field, models.TextField) else values[0]
        return ":".join(values) if values[0] is not None else ""

    @cached_property
    def required(self) -> bool:
        return not (self.field.has_default() or self.field.null or self.field.blank)

    @property
    def default(self) -> Any:
        """The plain form of a missing key."""
        if self.target:
            return ""
        if self.field.has_default():
            value = self.field.get_default()
            return getattr(value, "value", value)
        return None if self.field.null else ""


# The kind of element that a column must name if its table may hold any kind.
KIND_OF_COLUMN: dict[str, Kind] = {
    "ability": Kind.ABILITY,
    "category": Kind.CATEGORY,
    "damage_type": Kind.DAMAGE_TYPE,
    "property": Kind.PROPERTY,
}
# Rows without a `sort` get one by their order in the file, in steps of this size.
SORT_STEP = 10
RENAMED = {(Effect, "grant_as"): "as"}


@cache
def columns(model: type[models.Model], words: str) -> tuple[Column, ...]:
    """The columns of `model` named in `words`, in the order of a file."""
    return tuple(Column(RENAMED.get((model, word), word), model._meta.get_field(word)) for word in words.split())


AMOUNT = "amount of_stat times divided_by round_up per at_least at_most"
TEST = "test element stat switch value word negate either"
EFFECT_TAIL = "when from_rank this_item_only"

RULESET = columns(Ruleset, "slug name version_label game armor_stat")
SOURCE = columns(Source, "slug title version authors license license_url attribution url is_core")

SWITCH = columns(Switch, "key name group type default allowed labels minimum maximum sort help status")
STAT = columns(
    Stat, "key name short_name group sort format minimum maximum is_input visible switch spent_of created_of term"
)
CIRCUMSTANCE = columns(Circumstance, "slug name detection default_on group")
CIRCUMSTANCE_TEST = columns(CircumstanceTest, TEST)
EVENT = columns(RestEvent, "slug name sort")
TIMING = columns(ActionTiming, "slug name sort")
LOOKUP = columns(LookupTable, "slug name")
LOOKUP_ROW = columns(LookupRow, "at value label")

# The tables of a pack: the model and the columns of their rows. `NATURAL` says how the rows are named.
TABLES: dict[str, tuple[type[models.Model], tuple[Column, ...]]] = {
    "switches": (Switch, SWITCH),
    "stats": (Stat, STAT),
    "circumstances": (Circumstance, CIRCUMSTANCE),
    "events": (RestEvent, EVENT),
    "timings": (ActionTiming, TIMING),
    "lookups": (LookupTable, LOOKUP),
}

ELEMENT = columns(Element, "slug was name summary text page_ref status sort parent repeatable cost_class")
OF_KIND: dict[str, tuple[Column, ...]] = {
    Kind.ABILITY: columns(Ability, "rank_stat modifier_stat short"),
    Kind.SKILL: columns(Skill, "key_ability"),
    Kind.JOB: columns(Job, "max_rank limit_break"),
    Kind.WEAPON: columns(Weapon, "category ranged dice die damage_type hands"),
    Kind.ARMOR: columns(Armor, "category base_defense adds_ability ability_cap hands"),
    Kind.CONDITION: columns(Condition, "stackable max_stacks resource turns until ends_with"),
    Kind.SPELL: columns(Spell, "time range cantrip attack saving_throw damage"),
}
EFFECTS: dict[str, tuple[Column, ...]] = {
    EffectKind.MODIFY: columns(Effect, f"stat op {AMOUNT} {EFFECT_TAIL} stack_group text"),
    EffectKind.ROLL: columns(Effect, f"roll aspect ability subject {AMOUNT} {EFFECT_TAIL} stack_group text"),
    EffectKind.GRANT: columns(Effect, "element grant_as quantity when from_rank text"),
    EffectKind.NOTE: columns(Effect, f"stat roll {EFFECT_TAIL} text"),
}
CHOICE = columns(
    Choice,
    "slug prompt mode count count_of per_option_max grant_as from_rank every filter_kind filter_group filter_parent"
    " replaceable distinct budget ceiling write_in for_duplicates when",
)
PREREQUISITE = columns(Prerequisite, TEST)
RESOURCE = columns(Resource, "slug name max_stat style die counts_up")
RECOVERY = columns(Recovery, f"resource event full {AMOUNT} when")
ACTION = columns(
    Action,
    f"slug name timing trigger range from_rank resource uses roll dice die {AMOUNT} fires changes of_roll when begins"
    " text",
)
PROPERTY_USE = columns(PropertyUse, "property a b note")
SUGGESTION = columns(Suggestion, "text tag")
SUGGESTED = tuple(Suggestion.AspectKind.values)

# The parts of an element that are lists of rows without rows of their own, and the columns of these rows.
PARTS: dict[str, tuple[Column, ...]] = {
    **EFFECTS,
    "choices": CHOICE,
    "requires": PREREQUISITE,
    "resources": RESOURCE,
    "recoveries": RECOVERY,
    "actions": ACTION,
    "properties": PROPERTY_USE,
}

# Parts whose rows have a name within the element, and the column with that name.
NAMED_BY = {"choices": "slug", "resources": "slug", "actions": "slug", "properties": "property"}

# The file of each kind of element.
FILES: dict[str, str] = {
    "chapters.yaml": Kind.CHAPTER,
    "rules.yaml": Kind.RULES,
    "terms.yaml": Kind.TERM,
    "abilities.yaml": Kind.ABILITY,
    "skills.yaml": Kind.SKILL,
    "knowledges.yaml": Kind.KNOWLEDGE,
    "tools.yaml": Kind.TOOL,
    "languages.yaml": Kind.LANGUAGE,
    "lineages.yaml": Kind.LINEAGE,
    "cultures.yaml": Kind.CULTURE,
    "backgrounds.yaml": Kind.BACKGROUND,
    "dispositions.yaml": Kind.DISPOSITION,
    "sizes.yaml": Kind.SIZE,
    "jobs.yaml": Kind.JOB,
    "paths.yaml": Kind.PATH,
    "features.yaml": Kind.FEATURE,
    "talents.yaml": Kind.TALENT,
    "spells.yaml": Kind.SPELL,
    "categories.yaml": Kind.CATEGORY,
    "properties.yaml": Kind.PROPERTY,
    "damage-types.yaml": Kind.DAMAGE_TYPE,
    "weapons.yaml": Kind.WEAPON,
    "armors.yaml": Kind.ARMOR,
    "gear.yaml": Kind.GEAR,
    "conditions.yaml": Kind.CONDITION,
}

# All files of a pack. A table is in the file of the same name.
ALL_FILES = ("source.yaml", *(f"{table}.yaml" for table in TABLES), *FILES)
