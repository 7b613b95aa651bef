from django.core.validators import RegexValidator
from django.db import models

from .ruleset import Ruleset, Source
from .vocabulary import SLUG


class LookupTable(models.Model):
    """A small table of numbers: point-buy costs, the difficulty ladder."""

    ruleset = models.ForeignKey(Ruleset, on_delete=models.PROTECT, related_name="lookup_tables")
    source = models.ForeignKey(Source, on_delete=models.PROTECT, related_name="lookup_tables")
    slug = models.SlugField(max_length=60, validators=[RegexValidator(SLUG)])
    name = models.CharField(max_length=120)

    class Meta:
        ordering = ["slug"]
        constraints = [models.UniqueConstraint(fields=["ruleset", "slug"], name="lookup_slug_once_in_ruleset")]

    def __str__(self) -> str:
        return self.name


class LookupRow(models.Model):
    table = models.ForeignKey(LookupTable, on_delete=models.CASCADE, related_name="rows")
    at = models.SmallIntegerField()
    value = models.SmallIntegerField()
    label = models.CharField(max_length=60, blank=True)

    class Meta:
        ordering = ["at"]
        constraints = [models.UniqueConstraint(fields=["table", "at"], name="lookup_row_once")]

    def __str__(self) -> str:
        return f"{self.label or self.at}: {self.value}"
