import time
from collections.abc import Collection
from typing import Self

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Q

from rules.games import GAMES
from rules.games.house_rules import NUMBER

from .vocabulary import SLUG, SWITCH_KEY, Status, SwitchType, one_of, reference


def fresh_revision() -> int:
    """A new number, never used before, not even in a transaction that was rolled back: microseconds since 1970."""
    return time.time_ns() // 1000


def known_game(name: str) -> None:
    if name not in GAMES:
        raise ValidationError(f"There is no game “{name}” here; there is {', '.join(sorted(GAMES))}.")


HOMEBREW = "homebrew-"  # begins the slugs of private sources, so links know which page to use
HOMEBREWS = f"A slug that begins with {HOMEBREW} is a homebrew’s: give the source a slug of its own."


class RulesetQuerySet(models.QuerySet):
    def playable(self) -> Self:
        """The rulesets whose rules are loaded, in the order of loading."""
        return self.filter(sources__is_core=True).distinct().order_by("pk")


class Ruleset(models.Model):
    """Content for one game: `game` names it as `rules.games.GAMES` does."""

    slug = models.SlugField(max_length=60, unique=True, validators=[RegexValidator(SLUG)])
    name = models.CharField(max_length=120)
    version_label = models.CharField(max_length=60, blank=True)
    game = models.CharField(max_length=40, validators=[known_game])
    armor_stat = reference("rules.Stat", help_text="The statistic that armor sets while you wear it.")

    objects = RulesetQuerySet.as_manager()

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class SourceQuerySet(models.QuerySet):
    def published(self) -> Self:
        """The sources with a publication in force. Others are in no rules yet."""
        return self.filter(revision__gt=0)

    def public(self) -> Self:
        """The sources that are not homebrew."""
        return self.filter(homebrew=None)

    def open_to(self, owner: int | None = None, besides: Collection[str] = ()) -> Self:
        """Public sources, this user's homebrew, and the sources with the slugs `besides`."""
        theirs = Q(homebrew__owner=owner) if owner is not None else Q(pk__in=[])
        return self.filter(Q(homebrew=None) | theirs | Q(slug__in=besides))


class Source(models.Model):
    """A pack of content. Its rows are its working copy; `revision` names the publication in force.

    edited: the time of the last unpublished edit of the working copy in the admin; None without one. loaded: the
    revision of the publication made from the files loaded last; 0 if there is none.
    """

    ruleset = models.ForeignKey(Ruleset, on_delete=models.PROTECT, related_name="sources")
    slug = models.SlugField(max_length=60, validators=[RegexValidator(SLUG)])
    title = models.CharField(max_length=120)
    version = models.CharField(max_length=40, blank=True)
    authors = models.CharField(max_length=200, blank=True)
    license = models.CharField(max_length=60, blank=True)
    license_url = models.URLField(blank=True)
    attribution = models.TextField(blank=True)
    url = models.URLField(blank=True)
    is_core = models.BooleanField(default=False)
    requires = models.ManyToManyField("self", symmetrical=False, blank=True)
    revision = models.PositiveBigIntegerField(default=0, editable=False)
    edited = models.DateTimeField(null=True, editable=False)
    pack_digest = models.CharField(max_length=64, blank=True, editable=False)
    loaded = models.PositiveBigIntegerField(default=0, editable=False)

    objects = SourceQuerySet.as_manager()

    class Meta:
        ordering = ["-is_core", "title"]
        constraints = [models.UniqueConstraint(fields=["ruleset", "slug"], name="source_slug_once_in_ruleset")]

    def __str__(self) -> str:
        return self.title


class Homebrew(models.Model):
    """A row that makes its source private. A source without one is public.

    owner: the user who made it for themselves; None if a table has it (`campaigns.TableHomebrew`) or the account is
    gone. tag: the end of every slug and key in it, so that two tables can make things of the same name.
    """

    source = models.OneToOneField(Source, on_delete=models.CASCADE, related_name="homebrew")
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    tag = models.CharField(max_length=8, unique=True, validators=[RegexValidator(r"^[a-z0-9]+$")])
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "homebrew"

    def __str__(self) -> str:
        return f"Homebrew: {self.source}"


class Switch(models.Model):
    """A house rule: a setting that a table, or a player without one, may change. One in use is retired, never deleted.
    There are no drafts."""

    ruleset = models.ForeignKey(Ruleset, on_delete=models.PROTECT, related_name="switches")
    source = models.ForeignKey(Source, on_delete=models.PROTECT, related_name="switches")
    key = models.CharField(max_length=60, validators=[RegexValidator(SWITCH_KEY)])
    name = models.CharField(max_length=120)
    group = models.CharField(max_length=60, blank=True)
    type = models.CharField(max_length=10, choices=SwitchType)
    default = models.CharField(max_length=200)
    allowed = models.JSONField(default=list, blank=True, help_text="The values offered, as a list of strings.")
    labels = models.JSONField(
        default=list, blank=True, help_text="What people read for each of these values, in the same order."
    )
    minimum = models.IntegerField(null=True, blank=True)
    maximum = models.IntegerField(null=True, blank=True)
    help = models.TextField(blank=True)
    status = models.CharField(
        max_length=10, choices=[one for one in Status.choices if one[0] != Status.DRAFT], default=Status.PUBLISHED,
        help_text="What is retired stays with those who have set it. Nobody else is offered it.",
    )  # fmt: skip
    sort = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["sort", "key"]
        verbose_name = "house rule"
        constraints = [
            models.UniqueConstraint(fields=["ruleset", "key"], name="switch_key_once_in_ruleset"),
            one_of("type", SwitchType, "switch_type_known"),
            models.CheckConstraint(
                condition=Q(status__in=[Status.PUBLISHED, Status.RETIRED]), name="switch_status_known"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        wrong = {}
        if crossed(self.minimum, self.maximum):
            wrong["maximum"] = NOT_BELOW
        if self.labels and len(self.labels) != len(self.allowed):
            wrong["labels"] = f"Write one for each value: {len(self.allowed)}, and not {len(self.labels)}."
        if self.type in (SwitchType.CHOICE, SwitchType.FLAG) and self.allowed and self.default not in self.allowed:
            wrong["default"] = f"It is none of the values offered: {', '.join(self.allowed)}."
        if self.type == SwitchType.NUMBER and self.default not in self.allowed:
            low, high = self.minimum, self.maximum
            if not NUMBER.fullmatch(self.default):
                wrong["default"] = "Write a whole number."
            elif crossed(low, int(self.default)) or crossed(int(self.default), high):
                wrong["default"] = "Write a number from the minimum to the maximum."
        if wrong:
            raise ValidationError(wrong)


NOT_BELOW = "Write a number that is not below the minimum."


def crossed(low: int | None, high: int | None) -> bool:
    """True if both bounds are given, and no number is within them."""
    return low is not None and high is not None and low > high


class HouseRules(models.Model):
    """The house rules of one campaign or one character: the sources in play, and the switches that differ from their
    defaults."""

    ruleset = models.ForeignKey(Ruleset, on_delete=models.PROTECT)
    sources = models.ManyToManyField(Source, blank=True)

    class Meta:
        verbose_name_plural = "house rules"

    def __str__(self) -> str:
        return f"House rules {self.pk}"


class SwitchValue(models.Model):
    house_rules = models.ForeignKey(HouseRules, on_delete=models.CASCADE, related_name="values")
    switch = models.ForeignKey(Switch, on_delete=models.PROTECT)
    value = models.CharField(max_length=200)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["house_rules", "switch"], name="switch_value_once"),
            models.CheckConstraint(condition=~Q(value=""), name="switch_value_not_empty"),
        ]

    def __str__(self) -> str:
        return f"{self.switch}: {self.value}"
