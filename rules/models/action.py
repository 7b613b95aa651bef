from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Q

from rules.games.dice_text import MOST_DICE, MOST_SIDES

from .amount import Amounted
from .circumstance import Circumstance
from .element import Element
from .items import Condition
from .resource import Resource, RestEvent
from .ruleset import Ruleset, Source
from .vocabulary import SLUG, Changes, Made, one_of, reference


class ActionTiming(models.Model):
    """The time that an action takes: action, bonus action, reaction, downtime ..."""

    ruleset = models.ForeignKey(Ruleset, on_delete=models.PROTECT, related_name="action_timings")
    source = models.ForeignKey(Source, on_delete=models.PROTECT, related_name="action_timings")
    slug = models.SlugField(max_length=60, validators=[RegexValidator(SLUG)])
    name = models.CharField(max_length=120)
    sort = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["sort"]
        constraints = [models.UniqueConstraint(fields=["ruleset", "slug"], name="action_timing_slug_once_in_ruleset")]

    def __str__(self) -> str:
        return self.name


class Action(Amounted):
    """Something that a character can do: its timing, cost, text and, if it has one, its roll.

    An action that `changes` a roll of the kind `of_roll` is offered beside such a roll when it has failed.
    """

    class Rolls(models.TextChoices):
        ATTACK = "attack"
        CHECK = "check"
        HEAL = "heal"
        DAMAGE = "damage"

    owner = models.ForeignKey(Element, on_delete=models.CASCADE, related_name="actions")
    slug = models.SlugField(max_length=60, validators=[RegexValidator(SLUG)])
    name = models.CharField(max_length=120)
    timing = models.ForeignKey(ActionTiming, on_delete=models.PROTECT, related_name="actions")
    trigger = models.CharField(max_length=200, blank=True)
    range = models.CharField(max_length=60, blank=True)
    text = models.TextField(blank=True)
    sort = models.PositiveSmallIntegerField(default=0)
    from_rank = models.PositiveSmallIntegerField(default=0)
    resource = reference(Resource)
    uses = models.PositiveSmallIntegerField(default=1)
    roll = models.CharField(max_length=8, choices=Rolls, blank=True)
    dice = models.PositiveSmallIntegerField(default=0)
    die = models.PositiveSmallIntegerField(default=6)
    fires = reference(RestEvent)
    changes = models.CharField(
        max_length=8,
        choices=Changes,
        blank=True,
        help_text="What it does to a roll. It is offered beside each roll that it can change.",
    )
    of_roll = models.CharField(max_length=8, choices=Made, blank=True, help_text="The kind of roll it changes.")
    when = reference(Circumstance, help_text="Only while this is true of the roll and of whoever rolls.")
    begins = reference(Condition, help_text="The condition you have once you use it. The condition says when it ends.")

    class Meta(Amounted.Meta):
        ordering = ["timing__sort", "sort", "pk"]
        constraints = [
            *Amounted.Meta.constraints,
            models.UniqueConstraint(fields=["owner", "slug"], name="action_slug_once_on_owner"),
            models.CheckConstraint(
                condition=Q(roll__in=["", "attack", "check", "heal", "damage"]), name="action_roll_known"
            ),
            one_of("changes", Changes, "action_changes_known", blank=True),
            one_of("of_roll", Made, "action_of_roll_known", blank=True),
            models.CheckConstraint(
                condition=Q(changes="", of_roll="") | (~Q(changes="") & ~Q(of_roll="")),
                name="action_changes_some_roll",
                violation_error_message="What changes a roll says which and how: fill in both, or neither.",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        super().clean()
        if self.dice > MOST_DICE:
            raise ValidationError({"dice": f"At most {MOST_DICE} dice."})
        if self.dice and not 1 <= self.die <= MOST_SIDES:
            raise ValidationError({"die": f"A die has from 1 to {MOST_SIDES} sides."})
