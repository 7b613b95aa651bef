from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse

from rules.models import HouseRules, Ruleset
from rules.models.ruleset import fresh_revision

from .bounds import texts_at_most

UNNAMED = "Unnamed character"


class Method(models.TextChoices):
    """The method by which the ability ranks were found."""

    POINTS = "points", "point buy"
    ARRAY = "array", "standard array"
    ROLLED = "rolled", "rolled"
    MANUAL = "manual", "the storyteller's word"


class Character(models.Model):
    """One character: its owner, its name and its counters. Decisions and events are rows beside it.

    A draft made without an account belongs to a `guest`, the hash of a token kept in that visitor's session. `version`
    counts the changes; it is the sequence number of the newest `Change`. `rules_seen` is the newest revision whose
    effect on the sheet the owner knows; it begins with the revision in force.
    """

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True, related_name="characters"
    )
    guest = models.CharField(max_length=64, blank=True, db_index=True)
    ruleset = models.ForeignKey(Ruleset, on_delete=models.PROTECT, related_name="characters")
    house_rules = models.ForeignKey(
        HouseRules, on_delete=models.PROTECT, null=True, blank=True, related_name="characters"
    )
    name = models.CharField(max_length=80, blank=True)
    face = models.CharField(
        max_length=80, blank=True, help_text="drawn:name, picture:digest, or nothing for the initials."
    )
    xp = models.PositiveIntegerField(default=0)
    milestone = models.PositiveIntegerField(
        null=True, blank=True, help_text="The level, where it does not follow from XP."
    )
    method = models.CharField(max_length=8, choices=Method, blank=True)
    dice = models.JSONField(default=list, blank=True, help_text="The faces rolled for the abilities, kept as rolled.")
    rest = models.SlugField(max_length=60, blank=True, help_text="The rest that has begun and is not finished.")
    rest_dice = models.PositiveSmallIntegerField(default=0, help_text="Dice spent in this rest.")
    version = models.PositiveBigIntegerField(default=0)
    rules_seen = models.PositiveBigIntegerField(default=fresh_revision, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)
    binned_at = models.DateTimeField(null=True, blank=True)
    sample = models.SlugField(max_length=60, blank=True, help_text="Set on the shipped samples that anyone may copy.")

    class Meta:
        ordering = ["-changed_at"]
        constraints = [
            models.CheckConstraint(
                condition=Q(owner__isnull=False, guest="", sample="")
                | (Q(owner__isnull=True, sample="") & ~Q(guest=""))
                | (Q(owner__isnull=True, guest="") & ~Q(sample="")),
                name="character_has_one_keeper",
            ),
            models.CheckConstraint(condition=Q(xp__lte=100_000_000), name="character_xp_in_bounds"),
            models.CheckConstraint(
                condition=Q(milestone__isnull=True) | Q(milestone__gte=1, milestone__lte=10_000),
                name="character_milestone_in_bounds",
            ),
            models.CheckConstraint(condition=Q(rest_dice__lte=10_000), name="character_rest_dice_in_bounds"),
            models.CheckConstraint(
                condition=Q(method__in=["", "points", "array", "rolled", "manual"]), name="character_method_known"
            ),
            texts_at_most("character_texts_in_bounds", guest=64, name=80, face=80, rest=60, sample=60),
            models.UniqueConstraint(fields=["sample"], condition=~Q(sample=""), name="sample_slug_once"),
        ]

    def __str__(self) -> str:
        return self.name or UNNAMED

    def get_absolute_url(self) -> str:
        if self.sample:
            return reverse("characters:sample", args=[self.sample])
        return reverse("characters:sheet", args=[self.pk])
