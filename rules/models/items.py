"""The kinds of element with their own columns, and the rows that belong to items and backgrounds."""

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q

from rules.games.dice_text import MOST_DICE

from .element import ELEMENT_CLASSES, Element, KindManager
from .stat import Stat
from .vocabulary import Kind, Made, SpellAttack, one_of, reference

MOST_SIDES = 20  # of the die of a weapon
HANDS = "A weapon takes no hand, 1 or 2."
MOST_RANKS = 100  # of a job; the core rules print 15
MOST_DEFENSE = 100  # of armor; the best of the core rules has 18
SIDES = f"The die of a weapon has from 1 to {MOST_SIDES} sides."


class Ability(Element):
    kind_of_class = Kind.ABILITY
    objects = KindManager()

    rank_stat = models.OneToOneField(Stat, on_delete=models.PROTECT, related_name="+")
    modifier_stat = models.OneToOneField(Stat, on_delete=models.PROTECT, related_name="+")
    short = models.CharField(max_length=8)

    class Meta:
        verbose_name_plural = "abilities"


class Skill(Element):
    kind_of_class = Kind.SKILL
    objects = KindManager()

    key_ability = models.ForeignKey(Ability, on_delete=models.PROTECT, related_name="skills")


class Job(Element):
    kind_of_class = Kind.JOB
    objects = KindManager()

    max_rank = models.PositiveSmallIntegerField(default=15)
    limit_break = models.BooleanField(default=False, help_text="A limit break may raise it past its last rank.")

    def clean(self) -> None:
        if not 1 <= self.max_rank <= MOST_RANKS:
            raise ValidationError({"max_rank": f"A job has from 1 to {MOST_RANKS} ranks."})


class Weapon(Element):
    kind_of_class = Kind.WEAPON
    objects = KindManager()

    category = models.ForeignKey(Element, on_delete=models.PROTECT, related_name="weapons")
    ranged = models.BooleanField(default=False)
    dice = models.PositiveSmallIntegerField(default=1)
    die = models.PositiveSmallIntegerField(default=6)
    damage_type = models.ForeignKey(Element, on_delete=models.PROTECT, related_name="+")
    hands = models.PositiveSmallIntegerField(default=1)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(hands__in=[0, 1, 2]),
                name="weapon_hands_known",
                violation_error_message=HANDS,
            ),
            models.CheckConstraint(
                condition=Q(die__gte=1, die__lte=MOST_SIDES),
                name="weapon_die_in_bounds",
                violation_error_message=SIDES,
            ),
        ]

    def clean(self) -> None:
        wrong = {}
        if self.dice > MOST_DICE:
            wrong["dice"] = f"At most {MOST_DICE} dice."
        if not 1 <= self.die <= MOST_SIDES:
            wrong["die"] = SIDES
        if self.hands > 2:
            wrong["hands"] = HANDS
        if wrong:
            raise ValidationError(wrong)


class Armor(Element):
    kind_of_class = Kind.ARMOR
    objects = KindManager()

    category = models.ForeignKey(Element, on_delete=models.PROTECT, related_name="armors")
    base_defense = models.PositiveSmallIntegerField(default=0, help_text="0 for a shield: its own rows add instead.")
    adds_ability = reference(Ability)
    ability_cap = models.SmallIntegerField(null=True, blank=True)
    hands = models.PositiveSmallIntegerField(default=0, help_text="How many hands it takes while you wear it.")

    class Meta:
        verbose_name_plural = "armor"

    def clean(self) -> None:
        wrong = {}
        if self.base_defense > MOST_DEFENSE:
            wrong["base_defense"] = f"Armor gives at most {MOST_DEFENSE}."
        if self.hands > 2:
            wrong["hands"] = "Armor takes no hand, 1 or 2."
        if wrong:
            raise ValidationError(wrong)


class Condition(Element):
    kind_of_class = Kind.CONDITION
    objects = KindManager()

    stackable = models.BooleanField(default=False)
    max_stacks = models.PositiveSmallIntegerField(default=1)
    resource = reference("rules.Resource", help_text="The counter that says how many times you have the condition.")
    turns = models.PositiveSmallIntegerField(
        default=0,
        help_text="Unless its cause says otherwise: 1 ends when your next turn starts, 2 a turn later.",
    )
    until = reference("rules.RestEvent", help_text="What ends it, unless its cause says otherwise.")
    ends_with = models.CharField(
        max_length=8, choices=Made, blank=True, help_text="Ends after your next roll of this kind."
    )

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(max_stacks__gte=1),
                name="condition_stacks_positive",
                violation_error_message="A condition stacks up to 1 or more.",
            ),
            one_of("ends_with", Made, "condition_ends_with_known", blank=True),
        ]

    def clean(self) -> None:
        if self.stackable and self.max_stacks == 1:
            raise ValidationError({"max_stacks": "Write 2 or more for a condition that stacks."})


class Spell(Element):
    """A spell that players may take over onto their sheets, where it is in their own words (decision 079)."""

    kind_of_class = Kind.SPELL
    objects = KindManager()

    time = models.CharField(
        "casting time", max_length=40, blank=True, help_text="An action, a bonus action, a reaction, or how long."
    )
    range = models.CharField(max_length=40, blank=True, help_text="Such as 60 ft.")
    cantrip = models.BooleanField(default=False)
    attack = models.CharField(
        max_length=8, choices=SpellAttack, blank=True, help_text="The spell attack that resolves it, if one does."
    )
    saving_throw = reference(Ability, help_text="Without an attack, the ability with which its target resists.")
    damage = models.CharField(max_length=40, blank=True, help_text="Dice and their kind, such as 2d6 fire.")

    class Meta:
        constraints = [
            one_of("attack", SpellAttack, "entry_spell_attack_known", blank=True),
            models.CheckConstraint(
                condition=Q(attack="") | Q(saving_throw__isnull=True),
                name="entry_spell_attack_or_save",
                violation_error_message="A spell has an attack or a saving throw, not both.",
            ),
        ]


ELEMENT_CLASSES.update({cls.kind_of_class: cls for cls in (Ability, Skill, Job, Weapon, Armor, Condition, Spell)})


class PropertyUse(models.Model):
    """A property printed on an item, with its numbers."""

    item = models.ForeignKey(Element, on_delete=models.CASCADE, related_name="property_uses")
    property = models.ForeignKey(Element, on_delete=models.PROTECT, related_name="used_by")
    a = models.SmallIntegerField(null=True, blank=True)
    b = models.SmallIntegerField(null=True, blank=True)
    note = models.CharField(max_length=60, blank=True)
    order = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ["order", "pk"]
        constraints = [models.UniqueConstraint(fields=["item", "property"], name="property_once_on_item")]

    def __str__(self) -> str:
        numbers = "/".join(str(n) for n in (self.a, self.b) if n is not None)
        return f"{self.property} ({self.note or numbers})" if self.note or numbers else str(self.property)


class Suggestion(models.Model):
    """A row of a background's tables of suggested aspects."""

    class AspectKind(models.TextChoices):
        TRAIT = "trait", "personality trait"
        IDEAL = "ideal"
        BOND = "bond"
        FLAW = "flaw"

    background = models.ForeignKey(Element, on_delete=models.CASCADE, related_name="suggestions")
    aspect = models.CharField(max_length=8, choices=AspectKind)
    number = models.PositiveSmallIntegerField()
    text = models.CharField(max_length=300)
    tag = models.CharField(max_length=30, blank=True)

    class Meta:
        ordering = ["background", "aspect", "number"]
        constraints = [
            models.UniqueConstraint(fields=["background", "aspect", "number"], name="suggestion_number_once"),
            models.CheckConstraint(
                condition=Q(aspect__in=["trait", "ideal", "bond", "flaw"]), name="suggestion_aspect_known"
            ),
        ]

    def __str__(self) -> str:
        return self.text
