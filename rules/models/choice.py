from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Q

from .circumstance import Circumstance
from .element import Element
from .stat import Stat
from .vocabulary import SLUG, GrantWord, Kind, one_of, reference


class Mode(models.TextChoices):
    PICK = "pick", "pick options"
    SPREAD = "spread", "spread points over statistics"


class Distinct(models.TextChoices):
    IN_CHOICE = "in_choice", "not twice in this choice"
    ON_CHARACTER = "on_character", "not twice on the character"
    FREE = "free", "as often as wanted"


class Choice(models.Model):
    """A question that an element asks the player. Options are its rows, or the elements that its filter finds."""

    owner = models.ForeignKey(Element, on_delete=models.CASCADE, related_name="choices")
    slug = models.SlugField(max_length=60, validators=[RegexValidator(SLUG)])
    prompt = models.CharField(max_length=200)
    sort = models.PositiveSmallIntegerField(default=0)
    mode = models.CharField(max_length=8, choices=Mode, default=Mode.PICK)
    count = models.PositiveSmallIntegerField(default=1, help_text="How many options to pick, or points to spread.")
    count_of = reference(Stat, help_text="A statistic added to the count.")
    per_option_max = models.PositiveSmallIntegerField(default=1)
    grant_as = models.CharField(max_length=12, choices=GrantWord, default=GrantWord.GAIN)
    from_rank = models.PositiveSmallIntegerField(default=0)
    every = models.PositiveSmallIntegerField(default=0, help_text="Asked again every so many ranks after the first.")
    filter_kind = models.CharField(max_length=20, choices=Kind, blank=True)
    filter_group = reference(Element)
    filter_parent = models.BooleanField(default=False, help_text="Offers only elements whose parent is this one.")
    replaceable = models.BooleanField(default=False, help_text="May be swapped at a later rank.")
    distinct = models.CharField(max_length=14, choices=Distinct, default=Distinct.ON_CHARACTER)
    budget = models.SlugField(
        max_length=40, blank=True, help_text="Choices of one element with the same word share one pick."
    )
    ceiling = reference(Stat, help_text="It raises nothing above this number.")
    write_in = models.BooleanField(default=False, help_text="Players may write their own answer.")
    for_duplicates = models.BooleanField(
        default=False, help_text="Asks for another when a character has the same thing from two places."
    )
    when = reference(Circumstance)
    elements = models.ManyToManyField(Element, through="ChoiceOption", related_name="+")

    class Meta:
        ordering = ["owner", "sort", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["owner", "slug"], name="choice_slug_once_on_owner"),
            one_of("mode", Mode, "choice_mode_known"),
            one_of("distinct", Distinct, "choice_distinct_known"),
            one_of("grant_as", GrantWord, "choice_grant_known"),
            one_of("filter_kind", Kind, "choice_filter_kind_known", blank=True),
            models.CheckConstraint(
                condition=Q(per_option_max__gte=1),
                name="choice_per_option_positive",
                violation_error_message="Each option can be taken once or more.",
            ),
        ]

    def __str__(self) -> str:
        return self.prompt


class ChoiceOption(models.Model):
    choice = models.ForeignKey(Choice, on_delete=models.CASCADE, related_name="options")
    element = reference(Element, related_name="offered_by")
    stat = reference(Stat)
    order = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ["order", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(element__isnull=False, stat__isnull=True) | Q(element__isnull=True, stat__isnull=False),
                name="choice_option_names_one",
                violation_error_message="Name an element or a statistic, not both.",
            ),
            models.UniqueConstraint(fields=["choice", "element"], name="choice_option_element_once"),
            models.UniqueConstraint(fields=["choice", "stat"], name="choice_option_stat_once"),
        ]

    def __str__(self) -> str:
        return str(self.element or self.stat)
