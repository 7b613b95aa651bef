"""Characters at a table."""

from django.db import models

from characters.models.bounds import between

from .campaign import Campaign
from .member import Member


class Seat(models.Model):
    """A character at a table; it sits at only one. It keeps its owner; `member` is who plays it, None while the
    storytellers have prepared it for somebody to take."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="seats")
    character = models.OneToOneField("characters.Character", models.CASCADE, related_name="seat")
    member = models.ForeignKey(Member, models.SET_NULL, null=True, blank=True, related_name="seats")
    level = models.PositiveSmallIntegerField(null=True, blank=True, help_text="The one with which it sat down.")
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["made_at", "pk"]
        constraints = [between("level", 1, 10_000, "seat_level_in_bounds")]

    def __str__(self) -> str:
        return f"{self.character} at {self.campaign}"
