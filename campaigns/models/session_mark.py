"""Marks that divide a table's log into sessions."""

from django.db import models
from django.db.models import Q

from characters.models.bounds import texts_at_most

from .campaign import Campaign
from .member import Member


class SessionMark(models.Model):
    """A moment in the log, such as “Before the lighthouse”: all that happened up to the next mark belongs to it.

    A removed mark keeps its row, so that it can be restored where it was.
    """

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="marks")
    name = models.CharField(max_length=80)
    key = models.CharField(max_length=64)
    at = models.DateTimeField(auto_now_add=True)
    by = models.ForeignKey(Member, models.SET_NULL, null=True, blank=True, related_name="+")
    removed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-at", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "key"], name="session_mark_key_once"),
            models.CheckConstraint(condition=~Q(name="") & ~Q(key=""), name="session_mark_has_name_and_key"),
            texts_at_most("session_mark_texts_in_bounds", name=80, key=64),
        ]

    def __str__(self) -> str:
        return self.name
