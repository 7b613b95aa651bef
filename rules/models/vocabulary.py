"""The closed vocabularies of the content tables, the database constraints that enforce them, and references."""

from typing import TYPE_CHECKING, Any

from django.db import models
from django.db.models import Q

if TYPE_CHECKING:
    from enum import StrEnum

    class TextChoices(StrEnum, models.TextChoices):
        """Django's TextChoices with types, so that mypy takes a word for a string, not for the pair in the source."""
else:
    TextChoices = models.TextChoices


class Kind(TextChoices):
    CHAPTER = "chapter", "chapter"
    RULES = "rules", "core rules"
    TERM = "term", "term"
    ABILITY = "ability", "ability"
    SKILL = "skill", "skill"
    KNOWLEDGE = "knowledge", "knowledge"
    TOOL = "tool", "tool"
    LANGUAGE = "language", "language"
    LINEAGE = "lineage", "lineage"
    CULTURE = "culture", "culture"
    BACKGROUND = "background", "background"
    DISPOSITION = "disposition", "disposition"
    SIZE = "size", "size"
    JOB = "job", "job"
    PATH = "path", "path"
    FEATURE = "feature", "feature"
    TALENT = "talent", "talent"
    SPELL = "spell", "spell"
    CATEGORY = "category", "category"
    PROPERTY = "property", "property"
    DAMAGE_TYPE = "damage-type", "damage type"
    WEAPON = "weapon", "weapon"
    ARMOR = "armor", "armor"
    GEAR = "gear", "gear"
    CONDITION = "condition", "condition"


class Status(TextChoices):
    DRAFT = "draft", "draft"
    PUBLISHED = "published", "published"
    RETIRED = "retired", "retired"


class CostClass(models.IntegerChoices):
    NOT_FOR_SALE = 0, "not for sale"
    COMMON = 1, "Common"
    UNCOMMON = 2, "Uncommon"
    RARE = 3, "Rare"
    VERY_RARE = 4, "Very Rare"
    LEGENDARY = 5, "Legendary"


class StatFormat(TextChoices):
    NUMBER = "number"
    SIGNED = "signed"
    FEET = "feet"
    FLAG = "flag", "yes or no"
    DICE = "dice"
    DIE_STEP = "die_step", "die on a ladder"


class SwitchType(TextChoices):
    NUMBER = "number"
    CHOICE = "choice"
    FLAG = "flag", "on or off"
    LIST = "list"


class Detection(TextChoices):
    AUTO = "auto", "decided by its tests"
    TOGGLE = "toggle", "a switch on the sheet"
    TABLE = "table", "decided at the table"


class TestWord(TextChoices):
    HAS = "has", "has the element"
    SKILLED = "skilled", "is proficient with the element"
    STAT_MIN = "stat_min", "statistic is at least"
    STAT_MAX = "stat_max", "statistic is at most"
    LEVEL = "level", "level is at least"
    RANK = "rank", "rank in the job is at least"
    WEARS = "wears", "wears (any, armor, shield, unproficient)"
    WIELDS = (
        "wields",
        "wields (two-hands, one-hand, off-hand, thrown, two-weapons, nothing, melee, ranged, versatile, spell, "
        "melee-spell)",
    )
    FIRST_JOB = "first_job", "it is the starting job"
    ROLL_TRAINED = "roll_trained", "the roll uses a proficiency"
    ROLL_NAMED = "roll_named", "the roll is of a skill, knowledge or tool"
    RESOURCE_EMPTY = "resource_empty", "the resource is used up"
    SWITCH = "switch", "house rule has the value"
    STORYTELLER = "storyteller", "the storyteller agrees"


class EffectKind(TextChoices):
    MODIFY = "modify", "modifies a statistic"
    ROLL = "roll", "changes a roll"
    GRANT = "grant", "grants"
    NOTE = "note", "note for the table"


class SpellAttack(TextChoices):
    MELEE = "melee", "melee spell attack"
    RANGED = "ranged", "ranged spell attack"


class Op(TextChoices):
    BASE = "base", "base (the best counts)"
    ADD = "add"
    MULTIPLY = "multiply"
    AT_LEAST = "at_least", "at least"
    AT_MOST = "at_most", "at most"
    SET = "set", "set (the lowest counts)"


class RollWord(TextChoices):
    CHECK = "check", "ability check"
    SAVE = "save", "saving throw"
    ATTACK = "attack", "attack roll"
    DAMAGE = "damage"
    INITIATIVE = "initiative"
    AGAINST = "against", "attack rolls against it"


class Made(TextChoices):
    """Rolls that someone makes and may fail. Actions can change them, and conditions can end with them."""

    CHECK = "check", "ability check"
    SAVE = "save", "saving throw"
    ATTACK = "attack", "attack roll"


class Changes(TextChoices):
    REROLL = "reroll", "rolls a failed one again"
    SUCCEED = "succeed", "makes a failed one succeed"


class RollAspect(TextChoices):
    ADVANTAGE = "advantage"
    DISADVANTAGE = "disadvantage"
    DICE = "dice", "dice added"
    BONUS = "bonus"
    TRAINING = "training", "multiplier of the skill bonus"
    FAILS = "fails", "fails without a roll"
    SUCCEEDS = "succeeds", "succeeds without a roll"
    CRITICALS_ON = "criticals_on", "critical from this face"
    CRITICALS_FROM_POOL = "criticals_from_pool", "critical from this many dice"
    USES_ABILITY = "uses_ability", "uses the ability"
    MAY_USE_ABILITY = "may_use_ability", "may use the ability"
    DAMAGE_DIE = "damage_die", "damage die becomes at least"
    DAMAGE_DIE_STEP = "damage_die_step", "damage die grows by"
    DAMAGE_DIE_SET = "damage_die_set", "damage die becomes"
    DAMAGE_DICE = "damage_dice", "multiplier of the damage dice"
    DAMAGE_TYPE = "damage_type", "damage type becomes"
    ABILITY_TIMES = "ability_times", "multiplier of the ability in damage"
    REACH = "reach", "reach added"
    DAMAGE_AT_LEAST = "damage_at_least", "damage is at least"
    RANGE = "range", "has a range (a/b feet)"
    THROWN = "thrown", "may be thrown (a/b feet)"
    ATTACKS_AT_MOST = "attacks_at_most", "attacks with it at most"


class GrantWord(TextChoices):
    GAIN = "gain", "gains"
    SKILLED = "skilled", "is proficient with"
    KNOWS = "knows"
    OWN = "own", "owns"
    RESIST = "resist", "resists"
    IMMUNE = "immune", "is immune to"
    VULNERABLE = "vulnerable", "is vulnerable to"
    RANK = "rank", "gains a rank in"


class Per(TextChoices):
    ONCE = "once"
    RANK = "rank", "per rank"
    LEVEL = "level", "per level"
    STACK = "stack", "per stack"
    PROPERTY_A = "property_a", "per number of the property"


def one_of(field: str, words: type[models.Choices], name: str, *, blank: bool = False) -> models.CheckConstraint:
    """A constraint of the database: the field takes only these words."""
    allowed = [*words.values, *([""] if blank else [])]
    return models.CheckConstraint(
        condition=Q(**{f"{field}__in": allowed}),
        name=name,
        violation_error_message=f"Choose one of: {', '.join(str(word) for word in allowed)}.",
    )


def reference(to: Any, *, related_name: str | None = "+", **options: Any) -> models.ForeignKey:
    """A reference that may be empty. The row it refers to cannot be deleted."""
    return models.ForeignKey(to, on_delete=models.PROTECT, null=True, blank=True, related_name=related_name, **options)


SLUG = r"^[a-z0-9]+(-[a-z0-9]+)*$"
SLUGS = r"^[a-z0-9]+([ -][a-z0-9]+)*$"
STAT_KEY = r"^[a-z][A-Za-z0-9.-]*$"
SWITCH_KEY = r"^[a-z][A-Za-z0-9]*$"
