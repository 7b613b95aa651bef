"""A purchase for which several characters at a table pool their means, and the Yes of each player."""

from django.db import models

from characters.models.bounds import between, texts_at_most

from .campaign import Campaign
from .joint import Joint, joint_constraints
from .member import Member


class Purchase(Joint):
    """A thing that `buyer` is to get with the means of everyone who has a `Share` in it, the buyer included."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="purchases", db_index=False)
    buyer = models.ForeignKey("characters.Character", models.CASCADE, related_name="+")
    by = models.ForeignKey(Member, models.SET_NULL, null=True, related_name="+")
    ref = models.CharField(max_length=120)
    quantity = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "key"], name="purchase_key_once"),
            between("quantity", 1, 1_000, "purchase_quantity_in_bounds"),
            *joint_constraints("purchase"),
            texts_at_most("purchase_texts_in_bounds", ref=120, key=64),
        ]

    def __str__(self) -> str:
        return f"A purchase for {self.buyer}"

    def agreed(self) -> dict[int, int | None]:
        """Each character that joins, with the member who said yes for it; None if nobody has. By their ids."""
        return {one.character_id: one.agreed_id for one in self.shares.all()}

    def agree(self, member: Member, character: int) -> None:
        self.shares.filter(character=character).update(agreed=member)


class Share(models.Model):
    """One character's part in a purchase. `agreed`: the player who said yes for it; None until someone has."""

    purchase = models.ForeignKey(Purchase, models.CASCADE, related_name="shares", db_index=False)
    character = models.ForeignKey("characters.Character", models.CASCADE, related_name="+")
    agreed = models.ForeignKey(Member, models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["purchase", "character"], name="share_once")]

    def __str__(self) -> str:
        return f"{self.character}: {self.purchase}"
