from django.db import models
from django.db.models.functions import Length
from django.db.models.lookups import Exact

from .character import Character


class Link(models.Model):
    """An address by which anyone may read this character until it is `ended`.

    Only the hash of its token is stored, so the rows alone open nothing. An ended row stays, so that its form sent
    again makes no second link.
    """

    character = models.ForeignKey(Character, models.CASCADE, related_name="links")
    token = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(condition=Exact(Length("token"), 64), name="link_token_is_a_hash"),
        ]

    def __str__(self) -> str:
        return f"A link to {self.character}"
