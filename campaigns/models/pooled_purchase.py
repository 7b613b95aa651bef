"""A purchase for which several characters at a table put their means together, and the word of each player."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Length
from django.db.models.lookups import GreaterThanOrEqual

from characters.models.bounds import between, texts_at_most
from characters.people import hashed

from .campaign import Campaign
from .member import Member


class Purchase(models.Model):
    """A thing that `buyer` is to get with the means of everyone who has a `Share` in it, the buyer among them.

    `key` is that of the form that proposed it. It is bought by the act that has its `act_key`.
    """

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="purchases", db_index=False)
    buyer = models.ForeignKey("characters.Character", models.CASCADE, related_name="+")
    by = models.ForeignKey(Member, models.SET_NULL, null=True, related_name="+")
    ref = models.CharField(max_length=120)
    quantity = models.PositiveSmallIntegerField()
    key = models.CharField(max_length=64)
    made_at = models.DateTimeField(auto_now_add=True)
    declined_at = models.DateTimeField(null=True, blank=True)
    declined_by = models.ForeignKey(Member, models.SET_NULL, null=True, blank=True, related_name="+")
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "key"], name="purchase_key_once"),
            between("quantity", 1, 1_000, "purchase_quantity_in_bounds"),
            models.CheckConstraint(
                condition=Q(declined_at__isnull=True) | Q(withdrawn_at__isnull=True), name="purchase_ends_once"
            ),
            models.CheckConstraint(condition=GreaterThanOrEqual(Length("key"), 8), name="purchase_key_long_enough"),
            texts_at_most("purchase_texts_in_bounds", ref=120, key=64),
        ]

    def __str__(self) -> str:
        return f"A purchase for {self.buyer}"

    @property
    def act_key(self) -> str:
        return hashed(f"{self.key} purchase")

    @property
    def over(self) -> bool:
        """True where it was declined or withdrawn."""
        return self.declined_at is not None or self.withdrawn_at is not None


class Share(models.Model):
    """One character's part in a purchase. `agreed`: the player who said yes for it; None as long as nobody has."""

    purchase = models.ForeignKey(Purchase, models.CASCADE, related_name="shares", db_index=False)
    character = models.ForeignKey("characters.Character", models.CASCADE, related_name="+")
    agreed = models.ForeignKey(Member, models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["purchase", "character"], name="share_once")]

    def __str__(self) -> str:
        return f"{self.character}: {self.purchase}"
