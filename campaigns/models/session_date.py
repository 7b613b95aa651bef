"""The date of a table's next session, and the members who know it."""

from datetime import datetime, timedelta

from django.db import models

from characters.models.bounds import between, texts_at_most

from .campaign import Campaign
from .member import Member


class SessionDate(models.Model):
    """A date at which the table meets. A moved date keeps its row, so that calendars move their entry instead of adding
    one. `moved` counts the moves."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="dates")
    at = models.DateTimeField()
    minutes = models.PositiveSmallIntegerField()
    place = models.CharField(max_length=200, blank=True)
    moved = models.PositiveIntegerField(default=0)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["at", "pk"]
        constraints = [
            between("minutes", 15, 1440, "session_date_minutes_in_bounds"),
            texts_at_most("session_date_texts_in_bounds", place=200),
        ]

    def __str__(self) -> str:
        return f"{self.campaign} at {self.at}"

    @property
    def stamp(self) -> str:
        """Differs after each move. A form sends back the one that it showed."""
        return f"{self.pk}-{self.moved}"

    @property
    def ends_at(self) -> datetime:
        return self.at + timedelta(minutes=self.minutes)


class DateSeen(models.Model):
    """A member has seen this date, or set it, as it was after `moved` moves. `moved` only grows."""

    date = models.ForeignKey(SessionDate, models.CASCADE, related_name="seen", db_index=False)
    member = models.ForeignKey(Member, models.CASCADE, related_name="+")
    moved = models.PositiveIntegerField()
    at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["date", "member"], name="date_seen_once")]

    def __str__(self) -> str:
        return f"{self.member}: {self.date}"
