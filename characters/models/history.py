from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Count, OuterRef, Q, Subquery
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce, Length
from django.db.models.lookups import Exact, GreaterThanOrEqual

from .bounds import texts_at_most
from .character import Character

# Each reverses the other. Neither can be undone, which could put a character into the bin with an old date.
FINAL = ("throw_away", "restore")
# Each spends a level, and a page shows what the level brought.
TAKES_LEVEL = ("level_up", "take_planned")
# The first words of the sentences of undoings.
UNDONE, AGAIN = "Undone: ", "Redone: "


class Change(models.Model):
    """One change of a character: who, when, which verb, and every address it moved with its value before and after.

    `what` holds the arguments of the verb without long texts, and facts that the verb found: an undo notes whether its
    root `stands` now. Rules and filters read `what`, never the sentence. `reason`: a storyteller's reason for it, which
    the sentence does not say.

    `key` is the form's idempotency key: if it comes again with the same `fingerprint`, this change is returned and
    nothing is done again.
    """

    character = models.ForeignKey(Character, models.CASCADE, related_name="changes", db_index=False)
    sequence = models.PositiveBigIntegerField()
    at = models.DateTimeField(auto_now_add=True)
    # Looked up by actor only when an account is deleted.
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+", db_index=False
    )
    verb = models.CharField(max_length=40)
    sentence = models.CharField(max_length=300)
    reason = models.CharField(max_length=160, blank=True)
    before = models.JSONField(default=dict)
    after = models.JSONField(default=dict)
    what = models.JSONField(default=dict)
    key = models.CharField(max_length=64)
    fingerprint = models.CharField(max_length=64)
    inverts = models.OneToOneField("self", on_delete=models.RESTRICT, null=True, blank=True, related_name="inverted_by")
    # For an undo, and for an undo of that: the original change.
    root = models.ForeignKey(
        "self", on_delete=models.RESTRICT, null=True, blank=True, related_name="undoings", db_index=False
    )

    class Meta:
        ordering = ["-sequence"]
        # These find the last long rest, the marks and the undoings among the thousands of changes of a long campaign.
        indexes = [
            models.Index(fields=["character", "verb", "-sequence"], name="change_verbs"),
            models.Index(fields=["root"], condition=Q(root__isnull=False), name="change_undoings"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["character", "sequence"], name="change_sequence_once"),
            models.UniqueConstraint(fields=["character", "key"], name="change_key_once"),
            models.UniqueConstraint(fields=["key"], condition=Q(sequence=1), name="beginning_key_once"),
            models.CheckConstraint(condition=~Q(key="") & ~Q(sentence=""), name="change_has_key_and_sentence"),
            models.CheckConstraint(condition=Q(sequence__gte=1), name="change_sequence_positive"),
            models.CheckConstraint(condition=GreaterThanOrEqual(Length("key"), 8), name="change_key_long_enough"),
            texts_at_most("change_texts_in_bounds", verb=40, sentence=300, reason=160, key=64, fingerprint=64),
            models.CheckConstraint(
                condition=Q(inverts__isnull=True, root__isnull=True) | Q(inverts__isnull=False, root__isnull=False),
                name="change_has_root_where_it_inverts",
            ),
        ]

    def __str__(self) -> str:
        return self.sentence

    @property
    def takes_back(self) -> bool:
        """True for an undo that left its root undone: undoing it does that change again."""
        return self.verb == "undo" and not self.what["stands"]

    @property
    def takes_level(self) -> bool:
        return self.verb in TAKES_LEVEL

    @property
    def may_be_undone(self) -> bool:
        """True if it is of a kind that can be undone; it may be undone already."""
        return self.sequence > 1 and self.verb not in FINAL

    # For changes that are read with `turned`, the number of their undoings (`change.history_entries.shown`).

    @property
    def stands(self) -> bool:
        return self.turned % 2 == 0

    @property
    def can_be_undone(self) -> bool:
        return self.may_be_undone and not self.turned

    @property
    def who(self) -> str:
        return str(self.actor) if self.actor else "a guest"


def not_undone(change: str = "pk") -> Q:
    """A filter for rows whose `change` is in force: never undone, or done again as often."""
    return Q(Exact(undoings(OuterRef(change)) % 2, 0))


def undoings(change: Combinable, **which: Any) -> Coalesce:
    """The number of undoings (that match `which`) that go back to a change; either may be an OuterRef."""
    found = Change.objects.filter(root=change, **which).order_by().values("root").values(many=Count("pk"))
    return Coalesce(Subquery(found), 0)
