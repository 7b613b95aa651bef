from django.conf import settings
from django.db import models
from django.db.models import Q

from .bounds import one_persons, texts_at_most
from .character import Character


class Grant(models.Model):
    """A person's role with someone else's character. `characters.access` says what each role may do.

    A row is written and deleted in the same transaction as the seat, membership or link that it comes from.
    """

    character = models.ForeignKey(Character, models.CASCADE, related_name="grants")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, blank=True, related_name="grants")
    guest = models.CharField(max_length=64, blank=True, db_index=True)
    role = models.CharField(max_length=20)

    class Meta:
        constraints = [
            one_persons("grant_is_one_persons"),
            models.CheckConstraint(
                condition=Q(role__in=["storyteller", "player", "party", "spectator", "reader"]),
                name="grant_role_known",
            ),
            texts_at_most("grant_texts_in_bounds", guest=64, role=20),
        ]

    def __str__(self) -> str:
        return f"{self.user or 'a guest'}: {self.role} of {self.character}"
