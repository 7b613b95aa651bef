from django.conf import settings
from django.db import models
from django.db.models import Q

from .bounds import one_persons, texts_at_most
from .character import Character


class Looked(models.Model):
    """A person has confirmed seeing a character's changes up to this `number`, which only grows."""

    character = models.ForeignKey(Character, models.CASCADE, related_name="looked", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, blank=True, related_name="+")
    guest = models.CharField(max_length=64, blank=True, db_index=True)
    number = models.PositiveBigIntegerField()

    class Meta:
        constraints = [
            one_persons("looked_is_one_persons"),
            models.UniqueConstraint(fields=["character", "user"], name="looked_once_by_an_account"),
            models.UniqueConstraint(
                fields=["character", "guest"], condition=~Q(guest=""), name="looked_once_by_a_guest"
            ),
            models.CheckConstraint(condition=Q(number__gte=1), name="looked_number_positive"),
            texts_at_most("looked_texts_in_bounds", guest=64),
        ]

    def __str__(self) -> str:
        return f"{self.user or 'a guest'}: {self.character}, {self.number}"
