"""The terms of a table."""

from django.db import models

from characters.models.bounds import between

from .campaign import Campaign

MOST_XP = 100_000_000


class CampaignTerms(models.Model):
    """The house rules on how a character made at this table begins: those that differ from their defaults, by key.
    `more_xp` is added to the XP that the starting level takes.

    Characters that sit here already do not change with them.
    """

    campaign = models.OneToOneField(Campaign, models.CASCADE, related_name="terms")
    switches = models.JSONField(default=dict)
    more_xp = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [between("more_xp", 0, MOST_XP, "campaign_terms_more_xp_in_bounds")]

    def __str__(self) -> str:
        return f"Terms of {self.campaign}"
