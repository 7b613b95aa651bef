"""Acts of the storytellers on several characters."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Length
from django.db.models.lookups import GreaterThanOrEqual

from characters.models.bounds import texts_at_most

from .campaign import Campaign
from .member import Member


class PartyAct(models.Model):
    """One act on several characters: a change of each, or a proposal to each of their players.

    Those changes and proposals carry its `key`, and are found by it. `what` holds its arguments: those for all, and
    those for each. `inverts`: the act that this one undoes.
    """

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="acts", db_index=False)
    by = models.ForeignKey(Member, models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(auto_now_add=True)
    verb = models.CharField(max_length=40)
    what = models.JSONField(default=dict)
    fingerprint = models.CharField(max_length=64)
    sentence = models.CharField(max_length=300)
    key = models.CharField(max_length=64)
    proposed = models.BooleanField()
    characters = models.ManyToManyField("characters.Character", related_name="+")
    inverts = models.OneToOneField("self", models.RESTRICT, null=True, blank=True, related_name="inverted_by")

    class Meta:
        ordering = ["-pk"]
        indexes = [models.Index(fields=["campaign", "-id"], name="party_act_newest")]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "key"], name="party_act_key_once"),
            models.CheckConstraint(condition=~Q(sentence=""), name="party_act_has_sentence"),
            models.CheckConstraint(condition=GreaterThanOrEqual(Length("key"), 8), name="party_act_key_long_enough"),
            texts_at_most("party_act_texts_in_bounds", verb=40, sentence=300, key=64, fingerprint=64),
        ]

    def __str__(self) -> str:
        return self.sentence

    @property
    def inverted(self) -> bool:
        """True if another act has undone it."""
        return hasattr(self, "inverted_by")

    @property
    def asks(self) -> bool:
        """True if it asked for a roll."""
        return "rule" in self.what

    @property
    def is_undoing(self) -> bool:
        """True if it undoes an act; False for an act, and for one that does it again."""
        return self.inverts_id is not None and not self.what.get("again")
