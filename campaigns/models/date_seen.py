"""Members who know when their table meets."""

from django.db import models

from .member import Member
from .session_date import SessionDate


class DateSeen(models.Model):
    """A member has seen this date as it was after `moved` moves, or has set it so themselves. `moved` only grows."""

    date = models.ForeignKey(SessionDate, models.CASCADE, related_name="seen", db_index=False)
    member = models.ForeignKey(Member, models.CASCADE, related_name="+")
    moved = models.PositiveIntegerField()
    at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["date", "member"], name="date_seen_once")]

    def __str__(self) -> str:
        return f"{self.member}: {self.date}"
