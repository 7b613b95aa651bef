"""The moments at which notes were shown to players."""

from django.db import models

from .campaign_note import CampaignNote
from .member import Member


class Reveal(models.Model):
    """A note was shown to whoever plays this character or, without one, to everyone at the table."""

    note = models.ForeignKey(CampaignNote, models.CASCADE, related_name="reveals")
    character = models.ForeignKey("characters.Character", models.CASCADE, null=True, blank=True, related_name="+")
    by = models.ForeignKey(Member, models.SET_NULL, null=True, blank=True, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.note}: {self.to}"

    @property
    def to(self) -> str:
        """Those whom the note was shown to, in words."""
        return f"whoever plays {self.character}" if self.character else "everyone"
