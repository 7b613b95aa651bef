"""The table itself."""

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.text import slugify

from characters.models.bounds import texts_at_most
from rules.games import GAMES
from rules.games.contract import Game
from rules.models import Ruleset


class Campaign(models.Model):
    """A table. The storyteller and the players are its members.

    The table's house rules, homebrew and creatures belong to its `ruleset`; a character of another ruleset may sit here
    and keeps its own. `key` is the key of the form that made the campaign: the form sent twice makes only one.
    `version` counts the changes of the table, its people and its seats.
    """

    ruleset = models.ForeignKey(Ruleset, models.PROTECT, related_name="+")
    name = models.CharField(max_length=80)
    description = models.CharField(max_length=2000, blank=True)
    key = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField(auto_now_add=True)
    archived_at = models.DateTimeField(null=True, blank=True)
    binned_at = models.DateTimeField(null=True, blank=True)
    face = models.CharField(
        max_length=80, blank=True, help_text="drawn:name, picture:digest, or nothing for the initials."
    )
    accounts_only = models.BooleanField(default=False, help_text="Nobody sits down any more without an account.")
    version = models.PositiveBigIntegerField(default=0)

    class Meta:
        ordering = ["name", "pk"]
        constraints = [
            models.CheckConstraint(condition=~Q(name=""), name="campaign_has_name"),
            texts_at_most("campaign_texts_in_bounds", name=80, description=2000, face=80, key=64),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("campaigns:campaign", args=[self.pk])

    def file_name(self, ending: str) -> str:
        """`saltmarsh-log.csv`: a name for a file of this campaign."""
        return f"{slugify(self.name) or 'campaign'}-{ending}"

    @property
    def game(self) -> Game:
        return GAMES[self.ruleset.game]
