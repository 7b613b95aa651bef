from django.db import models

from .bounds import texts_at_most


class Beginning(models.Model):
    """A character was made by a visitor without an account: the time, and a keyed hash of the visitor's address. Kept
    for a day."""

    household = models.CharField(max_length=64)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = [models.Index(fields=["household", "at"], name="beginning_household_at")]
        constraints = [texts_at_most("beginning_texts_in_bounds", household=64)]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M}"
