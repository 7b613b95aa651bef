"""The player's decisions."""

from django.db import models
from django.db.models import Q

from rules.models import Choice, Element, Stat

from .bounds import between, placed, texts_at_most
from .character import Character


class Answer(models.Model):
    """One answer to one choice: an element, points on a statistic, or the player's own word."""

    choice = models.ForeignKey(Choice, on_delete=models.PROTECT, related_name="+")
    level = models.PositiveSmallIntegerField(default=1, help_text="The level it was made at; 1 is creation.")
    position = models.PositiveSmallIntegerField(default=0)
    element = models.ForeignKey(Element, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    stat = models.ForeignKey(Stat, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    write_in = models.CharField(max_length=120, blank=True)
    points = models.PositiveSmallIntegerField(default=1)
    override = models.CharField(max_length=200, blank=True, help_text="The storyteller's reason for an exception.")
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        abstract = True
        ordering = ["level", "choice", "position"]
        constraints = [
            models.UniqueConstraint(
                fields=["character", "choice", "level", "position"], name="%(class)s_position_once"
            ),
            models.CheckConstraint(
                condition=Q(element__isnull=False, stat__isnull=True, write_in="")
                | Q(element__isnull=True, stat__isnull=False, write_in="")
                | (Q(element__isnull=True, stat__isnull=True) & ~Q(write_in="")),
                name="%(class)s_has_one_target",
            ),
            between("level", 1, 10_000, "%(class)s_level_in_bounds"),
            between("points", 1, 100, "%(class)s_points_in_bounds"),
            placed("%(class)s_position_in_bounds"),
            texts_at_most("%(class)s_texts_in_bounds", write_in=120, override=200),
        ]

    def __str__(self) -> str:
        return f"{self.choice}: {self.element or self.stat or self.write_in}"


class Decision(Answer):
    """An answer that counts."""

    character = models.ForeignKey(Character, models.CASCADE, related_name="decisions", db_index=False)


class PlannedDecision(Answer):
    """An answer meant for a level not taken yet. A level that is taken hides what was planned for it."""

    character = models.ForeignKey(Character, models.CASCADE, related_name="planned", db_index=False)


class StatInput(models.Model):
    """A number the player entered: an ability's rank before bonuses."""

    character = models.ForeignKey(Character, models.CASCADE, related_name="inputs", db_index=False)
    stat = models.ForeignKey(Stat, on_delete=models.PROTECT, related_name="+")
    value = models.SmallIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["character", "stat"], name="input_once"),
            between("value", -1000, 1000, "input_in_bounds"),
        ]

    def __str__(self) -> str:
        return f"{self.stat}: {self.value}"


class Award(models.Model):
    """An element given by the storyteller, or a language in own words, with the reason."""

    character = models.ForeignKey(Character, models.CASCADE, related_name="awards", db_index=False)
    element = models.ForeignKey(Element, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    write_in = models.CharField(max_length=120, blank=True)
    reason = models.CharField(max_length=200, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["character", "element"], name="award_once"),
            models.UniqueConstraint(
                fields=["character", "write_in"], condition=Q(element__isnull=True), name="award_word_once"
            ),
            models.CheckConstraint(
                condition=Q(element__isnull=False, write_in="") | (Q(element__isnull=True) & ~Q(write_in="")),
                name="award_has_one_target",
            ),
            texts_at_most("award_texts_in_bounds", write_in=120, reason=200),
        ]

    def __str__(self) -> str:
        return str(self.element or self.write_in)


class Aspect(models.Model):
    """A trait, ideal, bond or flaw, in the player's words."""

    KINDS = [("trait", "personality trait"), ("ideal", "ideal"), ("bond", "bond"), ("flaw", "flaw")]

    character = models.ForeignKey(Character, on_delete=models.CASCADE, related_name="aspects")
    kind = models.CharField(max_length=8, choices=KINDS)
    text = models.CharField(max_length=300)
    position = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ["position", "pk"]
        constraints = [
            models.CheckConstraint(condition=Q(kind__in=["trait", "ideal", "bond", "flaw"]), name="aspect_kind_known"),
            models.CheckConstraint(condition=~Q(text=""), name="aspect_not_empty"),
            texts_at_most("aspect_text_in_bounds", text=300),
            placed("aspect_position_in_bounds"),
        ]

    def __str__(self) -> str:
        return self.text
