"""The dice for ability ranks that were rolled for a table."""

from django.db import models
from django.db.models import Q

from rules.engine import Build
from rules.engine.phrases import number

from .campaign import Campaign
from .member import Member


class RolledSet(models.Model):
    """One set of dice for ability ranks, as the server rolled it: a member's, or without a member the whole table's.

    Each member, and the table, has at most one in use. A replaced set stays, with the moment and the member who granted
    the new roll.
    """

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="rolled_sets")
    member = models.ForeignKey(Member, models.CASCADE, null=True, blank=True, related_name="rolled_sets")
    dice = models.JSONField()
    made_at = models.DateTimeField(auto_now_add=True)
    replaced_at = models.DateTimeField(null=True, blank=True)
    replaced_by = models.ForeignKey(Member, models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign"],
                condition=Q(member=None, replaced_at=None),
                name="rolled_set_of_a_table_once",
            ),
            models.UniqueConstraint(
                fields=["campaign", "member"],
                condition=Q(replaced_at=None),
                name="rolled_set_of_a_member_once",
            ),
        ]

    def __str__(self) -> str:
        return f"Dice of {self.whose}"

    @property
    def whose(self) -> str:
        return str(self.member or self.campaign)

    @property
    def results(self) -> str:
        """`16, 14, 13, 12, 11, 9, 7`."""
        return ", ".join(number(result) for result in self.campaign.game.rolling.results(self.dice))

    def is_of(self, build: Build) -> bool:
        """True if the character's ranks come from these dice, or are still to be assigned from them."""
        return build.method == "rolled" and [list(one) for one in build.dice] == self.dice
