from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Q

from rules.engine.sentence import WIELDED, WORN

from .element import Element
from .ruleset import Ruleset, Source, Switch
from .stat import Stat
from .vocabulary import SLUG, Detection, TestWord, one_of, reference


class Circumstance(models.Model):
    """A named condition under which rows count: "while wearing armor", "against poison"."""

    ruleset = models.ForeignKey(Ruleset, on_delete=models.PROTECT, related_name="circumstances")
    source = models.ForeignKey(Source, on_delete=models.PROTECT, related_name="circumstances")
    slug = models.SlugField(max_length=80, validators=[RegexValidator(SLUG)])
    name = models.CharField(max_length=120, help_text='Read after the effect: "while wearing armor".')
    detection = models.CharField(max_length=10, choices=Detection, default=Detection.AUTO)
    default_on = models.BooleanField(default=False)
    group = models.CharField(
        max_length=40,
        blank=True,
        help_text="A word shared by circumstances that exclude each other, such as cover. Only one of them can be on.",
    )

    class Meta:
        ordering = ["slug"]
        constraints = [
            models.UniqueConstraint(fields=["ruleset", "slug"], name="circumstance_slug_once_in_ruleset"),
            one_of("detection", Detection, "circumstance_detection_known"),
        ]

    def __str__(self) -> str:
        return self.name


# The columns that each test needs.
NEEDS = {
    TestWord.HAS: ["element"],
    TestWord.SKILLED: ["element"],
    TestWord.STAT_MIN: ["stat", "value"],
    TestWord.STAT_MAX: ["stat", "value"],
    TestWord.LEVEL: ["value"],
    TestWord.RANK: ["element", "value"],
    TestWord.WEARS: ["word"],
    TestWord.WIELDS: ["word"],
    TestWord.FIRST_JOB: [],
    TestWord.ROLL_TRAINED: [],
    TestWord.ROLL_NAMED: [],
    TestWord.RESOURCE_EMPTY: ["word"],
    TestWord.SWITCH: ["switch", "word"],
    TestWord.STORYTELLER: [],
}
HIGHEST = 10_000  # level or rank that a test may ask for: no character has more levels
WORDS = {TestWord.WEARS: WORN, TestWord.WIELDS: WIELDED}  # the only words of these tests


class Requirement(models.Model):
    """One test. All tests of an owner must hold, but of those with the same `either` number, one is enough."""

    test = models.CharField(max_length=20, choices=TestWord)
    element = reference(Element)
    stat = reference(Stat)
    switch = reference(Switch, verbose_name="house rule")
    value = models.SmallIntegerField(null=True, blank=True)
    word = models.CharField(max_length=40, blank=True)
    negate = models.BooleanField(default=False, help_text="Turns the test round: it is met when the test fails.")
    either = models.PositiveSmallIntegerField(
        default=0, help_text="Of the tests with the same number, one is enough. 0: this test has to be met by itself."
    )

    class Meta:
        abstract = True
        constraints = [
            one_of("test", TestWord, "%(class)s_test_known"),
            models.CheckConstraint(
                condition=~Q(test__in=["has", "skilled", "rank"]) | Q(element__isnull=False),
                name="%(class)s_names_element",
                violation_error_message="This test needs an element.",
            ),
            models.CheckConstraint(
                condition=~Q(test__in=["stat_min", "stat_max"]) | Q(stat__isnull=False, value__isnull=False),
                name="%(class)s_names_stat",
                violation_error_message="This test needs a statistic and a value.",
            ),
            models.CheckConstraint(
                condition=~Q(test__in=["level", "rank"]) | Q(value__isnull=False),
                name="%(class)s_has_value",
                violation_error_message="This test needs a value.",
            ),
            models.CheckConstraint(
                condition=~Q(test="switch") | (Q(switch__isnull=False) & ~Q(word="")),
                name="%(class)s_names_switch",
                violation_error_message="This test needs a house rule and its value as the word.",
            ),
        ]

    def __str__(self) -> str:
        return self.get_test_display()

    def clean(self) -> None:
        missing = {
            name: "This test needs it."
            for name in NEEDS.get(self.test, [])
            if getattr(self, f"{name}_id" if name in ("element", "stat", "switch") else name) in (None, "")
        }
        if missing:
            raise ValidationError(missing)
        if self.test in (TestWord.LEVEL, TestWord.RANK) and not 0 <= self.value <= HIGHEST:
            raise ValidationError({"value": f"Write a number from 0 to {HIGHEST:,}."})
        known = WORDS.get(self.test)
        if known and self.word not in known:
            raise ValidationError({"word": f"Write one of these: {', '.join(known)}."})


class CircumstanceTest(Requirement):
    circumstance = models.ForeignKey(Circumstance, on_delete=models.CASCADE, related_name="tests")

    def __str__(self) -> str:
        return f"{self.circumstance}: {super().__str__()}"


class Prerequisite(Requirement):
    """A requirement for taking an element. If it is not met, that is reported with the reason; nothing is deleted."""

    owner = models.ForeignKey(Element, on_delete=models.CASCADE, related_name="prerequisites")

    def __str__(self) -> str:
        return f"{self.owner}: {super().__str__()}"
