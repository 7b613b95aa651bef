from django.conf import settings
from django.db import models
from django.db.models import Q

from .bounds import one_persons, texts_at_most


class Introduction(models.Model):
    """A person has read how a sheet works and is not told again."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, null=True, blank=True, related_name="+")
    guest = models.CharField(max_length=64, blank=True)
    read_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            one_persons("introduction_is_one_persons"),
            models.UniqueConstraint(fields=["guest"], condition=~Q(guest=""), name="introduction_once_for_a_guest"),
            texts_at_most("introduction_texts_in_bounds", guest=64),
        ]

    def __str__(self) -> str:
        return f"{self.user or 'a guest'}, {self.read_at:%d %B %Y}"
