from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q

from .ruleset import crossed
from .stat import Stat
from .vocabulary import Per, reference


class Amounted(models.Model):
    """The columns of a typed amount: `clamp(amount + times * of_stat / divided_by) * per`."""

    amount = models.SmallIntegerField(null=True, blank=True)
    of_stat = reference(Stat)
    times = models.SmallIntegerField(default=1)
    divided_by = models.PositiveSmallIntegerField(default=1)
    round_up = models.BooleanField(default=False)
    per = models.CharField(max_length=12, choices=Per, default=Per.ONCE)
    at_least = models.SmallIntegerField(null=True, blank=True)
    at_most = models.SmallIntegerField(null=True, blank=True)

    class Meta:
        abstract = True
        constraints = [
            models.CheckConstraint(
                condition=Q(divided_by__gt=0),
                name="%(class)s_divisor_positive",
                violation_error_message="Divide by one or more.",
            ),
            models.CheckConstraint(
                condition=Q(per__in=Per.values),
                name="%(class)s_per_known",
                violation_error_message="Choose how often the amount counts.",
            ),
        ]

    def clean(self) -> None:
        if self.divided_by == 0:
            raise ValidationError({"divided_by": "Divide by one or more."})
        if crossed(self.at_least, self.at_most):
            raise ValidationError({"at_most": "Write a number that is not below the least."})
