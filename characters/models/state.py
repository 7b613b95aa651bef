"""The state of play: things carried, resources spent, conditions suffered."""

from django.db import models
from django.db.models import Q

from rules.models import Circumstance, Element, Resource

from .bounds import between, texts_at_most
from .character import Character


class InventoryItem(models.Model):
    class State(models.TextChoices):
        WORN = "worn"
        MAIN = "main", "main hand"
        OFF = "off", "off hand"
        TWO_HANDS = "two-hands", "both hands"
        CARRIED = "carried"
        STOWED = "stowed"

    character = models.ForeignKey(Character, on_delete=models.CASCADE, related_name="items")
    element = models.ForeignKey(Element, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    custom = models.CharField(max_length=120, blank=True)
    quantity = models.PositiveIntegerField(default=1)
    state = models.CharField(max_length=10, choices=State, default=State.CARRIED)
    position = models.PositiveIntegerField(default=0)
    used = models.PositiveIntegerField(
        default=0, help_text="Pieces shot or thrown since the last battle; of a firearm, shots since it was loaded."
    )

    class Meta:
        ordering = ["position", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(element__isnull=False, custom="") | (Q(element__isnull=True) & ~Q(custom="")),
                name="item_named_once",
            ),
            between("quantity", 1, 100_000, "item_quantity_in_bounds"),
            between("used", 0, 100_000, "item_used_in_bounds"),
            between("position", 0, 1_000_000, "item_position_in_bounds"),
            texts_at_most("item_custom_in_bounds", custom=120),
            models.CheckConstraint(
                condition=Q(state__in=["worn", "main", "off", "two-hands", "carried", "stowed"]),
                name="item_state_known",
            ),
            models.UniqueConstraint(fields=["character"], condition=Q(state="main"), name="one_item_in_main_hand"),
            models.UniqueConstraint(fields=["character"], condition=Q(state="off"), name="one_item_in_off_hand"),
            models.UniqueConstraint(
                fields=["character"], condition=Q(state="two-hands"), name="one_item_in_both_hands"
            ),
        ]

    def __str__(self) -> str:
        return self.custom or str(self.element)


class CharacterCondition(models.Model):
    character = models.ForeignKey(Character, models.CASCADE, related_name="conditions", db_index=False)
    element = models.ForeignKey(Element, on_delete=models.PROTECT, related_name="+")
    stacks = models.PositiveSmallIntegerField(default=1)
    source = models.CharField(max_length=120, blank=True)
    until = models.CharField(
        max_length=120, blank=True, help_text="The slug of the rest that ends it, or the player's words."
    )
    rounds = models.PositiveSmallIntegerField(default=0, help_text="Rounds it still lasts; 0 without a count.")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["character", "element", "source"], name="condition_once_per_source"),
            between("stacks", 1, 100, "condition_stacks_in_bounds"),
            between("rounds", 0, 1_000, "condition_rounds_in_bounds"),
            texts_at_most("condition_texts_in_bounds", source=120, until=120),
        ]

    def __str__(self) -> str:
        return str(self.element)


class ResourceState(models.Model):
    """The amount of a resource that is spent. A resource without a row is full."""

    character = models.ForeignKey(Character, models.CASCADE, related_name="resources", db_index=False)
    resource = models.ForeignKey(Resource, on_delete=models.PROTECT, related_name="+")
    spent = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["character", "resource"], name="resource_state_once"),
            between("spent", 0, 1_000_000, "resource_spent_in_bounds"),
        ]

    def __str__(self) -> str:
        return f"{self.resource}: {self.spent} spent"


class CharacterToggle(models.Model):
    """A circumstance switched on at the table."""

    character = models.ForeignKey(Character, models.CASCADE, related_name="toggles", db_index=False)
    circumstance = models.ForeignKey(Circumstance, on_delete=models.PROTECT, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["character", "circumstance"], name="toggle_once")]

    def __str__(self) -> str:
        return str(self.circumstance)
