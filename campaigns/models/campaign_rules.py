"""The house rules of a table."""

from django.db import models
from django.db.models import Q

from characters.models.bounds import texts_at_most
from rules.models import Source

from .campaign import Campaign
from .seat import Seat


class CampaignRules(models.Model):
    """The rules of a table: optional sources, and the switches that differ from their defaults, by key.

    Each seated character has them as its own, so its sheet and its file name the rules it is played by; a character
    that has others is marked on the roster.
    """

    campaign = models.OneToOneField(Campaign, models.CASCADE, related_name="rules")
    sources = models.ManyToManyField(Source, blank=True, related_name="+")
    switches = models.JSONField(default=dict)

    def __str__(self) -> str:
        return f"House rules of {self.campaign}"


class RuleException(models.Model):
    """A seated character that plays by its own rules, with the storyteller's reason."""

    seat = models.OneToOneField(Seat, models.CASCADE, related_name="exception")
    reason = models.CharField(max_length=160)
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(reason=""), name="rule_exception_has_reason"),
            texts_at_most("rule_exception_texts_in_bounds", reason=160),
        ]

    def __str__(self) -> str:
        return self.reason
