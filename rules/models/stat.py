from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.db import models

from rules.engine.phrases import MINUS
from rules.engine.solve import FURTHEST

from .ruleset import NOT_BELOW, Ruleset, Source, Switch, crossed
from .vocabulary import STAT_KEY, StatFormat, one_of, reference

TOO_FAR = f"Write a number from {MINUS}{FURTHEST:,} to {FURTHEST:,}."


class Stat(models.Model):
    """A number of a character. Its value comes from rows (`Effect` of kind modify), a chosen input, a house rule, a
    resource or another statistic."""

    ruleset = models.ForeignKey(Ruleset, on_delete=models.PROTECT, related_name="stats")
    source = models.ForeignKey(Source, on_delete=models.PROTECT, related_name="stats")
    key = models.CharField(max_length=80, validators=[RegexValidator(STAT_KEY)])
    name = models.CharField(max_length=120)
    short_name = models.CharField(max_length=20, blank=True)
    group = models.CharField(max_length=60, blank=True)
    sort = models.PositiveIntegerField(default=0)
    format = models.CharField(max_length=10, choices=StatFormat, default=StatFormat.NUMBER)
    minimum = models.IntegerField(null=True, blank=True)
    maximum = models.IntegerField(null=True, blank=True)
    is_input = models.BooleanField(default=False, help_text="Players enter it; an entered value replaces the base.")
    visible = models.BooleanField(default=True)
    switch = reference(Switch, verbose_name="house rule", help_text="Reads this numeric house rule.", related_name=None)
    spent_of = reference("rules.Resource", help_text="Reads how much of this resource is spent.")
    created_of = reference("self", help_text="Its number when the character was made.", related_name=None)

    term = reference("rules.Term", help_text="The word of the glossary that says what it is.")

    class Meta:
        ordering = ["sort", "key"]
        verbose_name = "statistic"
        constraints = [
            models.UniqueConstraint(fields=["ruleset", "key"], name="stat_key_once_in_ruleset"),
            one_of("format", StatFormat, "stat_format_known"),
        ]

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        bounds = {"minimum": self.minimum, "maximum": self.maximum}
        if too_far := [name for name, bound in bounds.items() if bound is not None and abs(bound) > FURTHEST]:
            raise ValidationError(dict.fromkeys(too_far, TOO_FAR))
        if crossed(self.minimum, self.maximum):
            raise ValidationError({"maximum": NOT_BELOW})
