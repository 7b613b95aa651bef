from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import F, Q

from .amount import Amounted
from .circumstance import Circumstance
from .element import Element
from .stat import Stat
from .vocabulary import EffectKind, GrantWord, Op, RollAspect, RollWord, one_of, reference

# The aspects that need an amount, with its bounds. Beyond these, the roll cannot be made, or its chance not computed.
AMOUNTS = {
    RollAspect.DICE: (-40, 40),
    RollAspect.BONUS: (-1000, 1000),
    RollAspect.TRAINING: (-100, 100),
    RollAspect.CRITICALS_ON: (1, 100),
    RollAspect.CRITICALS_FROM_POOL: (0, 100),
    RollAspect.DAMAGE_DIE: (1, 100),
    RollAspect.DAMAGE_DIE_STEP: (-100, 100),
    RollAspect.DAMAGE_DIE_SET: (1, 100),
    RollAspect.DAMAGE_DICE: (1, 100),
    RollAspect.ABILITY_TIMES: (0, 100),
    RollAspect.DAMAGE_AT_LEAST: (0, 1000),
    RollAspect.REACH: (-1000, 1000),
    RollAspect.ATTACKS_AT_MOST: (0, 100),
}


class Effect(Amounted):
    """One row of mechanics of an element: it modifies a statistic, changes a roll, grants something, or is a note."""

    kind_of_class: EffectKind | None = None

    owner = models.ForeignKey(Element, on_delete=models.CASCADE, related_name="effects")
    kind = models.CharField(max_length=10, choices=EffectKind, editable=False)
    order = models.PositiveSmallIntegerField(default=0, help_text="Its place in the list. No number depends on it.")
    from_rank = models.PositiveSmallIntegerField(default=0, help_text="Counts from this rank on, in what grants it.")
    when = reference(Circumstance, related_name="effects")
    this_item_only = models.BooleanField(default=False, help_text="Only for rolls with the item itself.")
    stack_group = models.SlugField(max_length=40, blank=True, help_text="Of the rows in a group, only the best counts.")
    text = models.CharField(max_length=400, blank=True)
    # modifies a statistic
    stat = reference(Stat, related_name="effects")
    op = models.CharField(max_length=10, choices=Op, blank=True)
    # changes a roll
    roll = models.CharField(max_length=12, choices=RollWord, blank=True)
    aspect = models.CharField(max_length=24, choices=RollAspect, blank=True)
    ability = reference(Element)
    subject = reference(Element)
    # grants
    element = reference(Element, related_name="granted_by")
    grant_as = models.CharField(max_length=12, choices=GrantWord, blank=True)
    quantity = models.PositiveSmallIntegerField(default=1)

    class Meta(Amounted.Meta):
        ordering = ["owner", "order", "pk"]
        constraints = [
            *Amounted.Meta.constraints,
            one_of("kind", EffectKind, "effect_kind_known"),
            one_of("op", Op, "effect_op_known", blank=True),
            one_of("roll", RollWord, "effect_roll_known", blank=True),
            one_of("aspect", RollAspect, "effect_aspect_known", blank=True),
            one_of("grant_as", GrantWord, "effect_grant_known", blank=True),
            models.CheckConstraint(
                condition=~Q(kind="modify")
                | (
                    Q(stat__isnull=False, roll="", aspect="", element__isnull=True, grant_as="")
                    & ~Q(op="")
                    & (Q(amount__isnull=False) | Q(of_stat__isnull=False))
                ),
                name="effect_modify_complete",
                violation_error_message=(
                    "Name the statistic and the operation, and give a number, a statistic, or both."
                ),
            ),
            models.CheckConstraint(
                condition=~Q(kind="roll")
                | (~Q(roll="") & ~Q(aspect="") & Q(stat__isnull=True, op="", element__isnull=True, grant_as="")),
                name="effect_roll_complete",
                violation_error_message="Name the roll and what changes about it.",
            ),
            models.CheckConstraint(
                condition=~Q(kind="grant")
                | (Q(element__isnull=False, stat__isnull=True, op="", roll="", aspect="") & ~Q(grant_as="")),
                name="effect_grant_complete",
                violation_error_message="Name what is granted and how.",
            ),
            models.CheckConstraint(
                condition=~Q(kind="note") | (~Q(text="") & Q(op="", aspect="", element__isnull=True, grant_as="")),
                name="effect_note_complete",
                violation_error_message="A note needs its text.",
            ),
            models.CheckConstraint(
                condition=Q(element__isnull=True) | ~Q(element=F("owner")),
                name="effect_grants_another",
                violation_error_message="An element cannot grant itself.",
            ),
            models.CheckConstraint(
                condition=Q(quantity__gt=0),
                name="effect_quantity_positive",
                violation_error_message="Grant one or more.",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.owner}: {self.get_kind_display()}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if self.kind_of_class:
            self.kind = self.kind_of_class
        super().save(*args, **kwargs)

    def clean(self) -> None:
        super().clean()
        if self.kind_of_class:
            self.kind = self.kind_of_class
        no_amount = self.amount is None and self.of_stat_id is None
        if self.kind == EffectKind.MODIFY and no_amount:
            raise ValidationError({"amount": "Give a number, a statistic, or both."})
        if self.kind == EffectKind.ROLL and self.aspect in AMOUNTS:
            if no_amount:
                raise ValidationError({"amount": "This change needs a number, a statistic, or both."})
            self.clean_bounds(*AMOUNTS[self.aspect])

    def clean_bounds(self, low: int, high: int) -> None:
        """Check the amount and its limits. With a statistic, the amount is only a part of the result, so only limits
        are checked."""
        given = {"at_least": self.at_least, "at_most": self.at_most}
        if self.of_stat_id is None:
            given["amount"] = self.amount
        between = f"a number from {low} to {high}"
        wrong = {
            name: f"This change takes {between}."
            for name, number in given.items()
            if number is not None and not low <= number <= high
        }
        if self.of_stat_id is not None and low > 0 and self.at_least is None:
            wrong["at_least"] = f"With a statistic, this change needs {between} as the least."
        if wrong:
            raise ValidationError(wrong)


def effect_proxy(name: str, kind: EffectKind, verbose: str) -> type[Effect]:
    """A proxy class for a kind of row, so that its admin form has only its own columns."""

    class Manager(models.Manager):
        def get_queryset(self) -> models.QuerySet[Effect]:
            return super().get_queryset().filter(kind=kind)

    meta = type("Meta", (), {"proxy": True, "verbose_name": verbose})
    namespace = {"__module__": __name__, "Meta": meta, "kind_of_class": kind, "objects": Manager()}
    return type(name, (Effect,), namespace)


StatModifier = effect_proxy("StatModifier", EffectKind.MODIFY, "statistic modifier")
RollModifier = effect_proxy("RollModifier", EffectKind.ROLL, "roll modifier")
Grant = effect_proxy("Grant", EffectKind.GRANT, "grant")
Note = effect_proxy("Note", EffectKind.NOTE, "note")
