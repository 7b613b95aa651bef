"""The common base of everything that several players at a table must agree to."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Length
from django.db.models.lookups import GreaterThanOrEqual

from characters.people import hashed

from .member import Member


class Joint(models.Model):
    """Something proposed for characters of several players. `key` is the key of the form that proposed it.

    It is done if an act has its `act_key`; otherwise it was declined or withdrawn, or it waits.
    """

    key = models.CharField(max_length=64)
    made_at = models.DateTimeField(auto_now_add=True)
    declined_at = models.DateTimeField(null=True, blank=True)
    declined_by = models.ForeignKey(Member, models.SET_NULL, null=True, blank=True, related_name="+")
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    campaign_id: int
    by_id: int | None = None  # the member who proposed it; None if only those who run the table withdraw it

    class Meta:
        abstract = True

    @property
    def act_words(self) -> str:
        """The text that, together with `key`, makes the key of its act."""
        return self._meta.model_name or ""

    @property
    def act_key(self) -> str:
        return hashed(f"{self.key} {self.act_words}")

    @property
    def over(self) -> bool:
        """True if it was declined or withdrawn."""
        return self.declined_at is not None or self.withdrawn_at is not None


def joint_constraints(name: str) -> list[models.CheckConstraint]:
    return [
        models.CheckConstraint(
            condition=Q(declined_at__isnull=True) | Q(withdrawn_at__isnull=True), name=f"{name}_ends_once"
        ),
        models.CheckConstraint(condition=GreaterThanOrEqual(Length("key"), 8), name=f"{name}_key_long_enough"),
    ]
