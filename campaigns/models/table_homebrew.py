"""The homebrew of a table."""

from django.db import models

from rules.models import Homebrew

from .campaign import Campaign


class TableHomebrew(models.Model):
    """The link from a table to its own homebrew, which anyone who runs the table may write.

    When the table is gone for good, the homebrew stays without one: characters play by what was published.
    """

    campaign = models.OneToOneField(Campaign, models.CASCADE, related_name="homebrew")
    homebrew = models.OneToOneField(Homebrew, models.CASCADE, related_name="table")

    def __str__(self) -> str:
        return f"Homebrew of {self.campaign}"
