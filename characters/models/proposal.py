from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Length
from django.db.models.lookups import GreaterThanOrEqual

from .bounds import texts_at_most
from .character import Character
from .history import Change


class Proposal(models.Model):
    """An action that waits for a yes or no from the character's player.

    `sent` is what the form of the action would send. Accepting it makes a change with its `key`; since a key counts
    once, the proposal can be accepted only once.
    """

    character = models.ForeignKey(Character, models.CASCADE, related_name="proposals", db_index=False)
    action = models.CharField(max_length=40)
    sent = models.JSONField(default=dict)
    reason = models.CharField(max_length=160, blank=True)
    key = models.CharField(max_length=64)
    made_at = models.DateTimeField(auto_now_add=True)
    declined_at = models.DateTimeField(null=True, blank=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["character", "key"], name="proposal_key_once"),
            models.CheckConstraint(
                condition=Q(declined_at__isnull=True) | Q(withdrawn_at__isnull=True), name="proposal_ends_once"
            ),
            models.CheckConstraint(condition=GreaterThanOrEqual(Length("key"), 8), name="proposal_key_long_enough"),
            texts_at_most("proposal_texts_in_bounds", action=40, reason=160, key=64),
        ]

    def __str__(self) -> str:
        return f"{self.action} for {self.character}"


def waiting() -> Q:
    """A filter for proposals that are neither answered nor withdrawn."""
    done = Change.objects.filter(character=OuterRef("character"), key=OuterRef("key"))
    return Q(declined_at=None, withdrawn_at=None) & ~Exists(done)
