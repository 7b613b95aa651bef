from typing import Any

from django.core.validators import RegexValidator
from django.db import models
from django.urls import reverse

from .ruleset import Ruleset, Source
from .vocabulary import SLUG, SLUGS, CostClass, Kind, Status, one_of, reference


class Element(models.Model):
    """Something that the rules name. Its mechanics are the rows that point at it. Content in use is retired, never
    deleted."""

    kind_of_class: Kind | None = None  # set by the classes that stand for one kind

    ruleset = models.ForeignKey(Ruleset, on_delete=models.PROTECT, related_name="elements")
    source = models.ForeignKey(Source, on_delete=models.PROTECT, related_name="elements")
    kind = models.CharField(max_length=20, choices=Kind, editable=False)
    slug = models.SlugField(max_length=80, validators=[RegexValidator(SLUG)])
    was = models.CharField(
        "old slugs", max_length=400, blank=True, validators=[RegexValidator(SLUGS)],
        help_text="The slugs it had before, with spaces between. Links to them still lead here.",
    )  # fmt: skip
    name = models.CharField(max_length=120)
    sort = models.PositiveIntegerField(default=0)
    summary = models.CharField(max_length=300, blank=True, help_text="One line, shown on cards.")
    text = models.TextField(blank=True, help_text="The rule in our own words. Markdown.")
    page_ref = models.CharField(max_length=60, blank=True, help_text="Section of the rules it comes from.")
    status = models.CharField(max_length=10, choices=Status, default=Status.PUBLISHED)
    parent = reference("self", related_name="children")
    groups = models.ManyToManyField("self", symmetrical=False, blank=True, related_name="members")
    repeatable = models.BooleanField(default=False)
    cost_class = models.PositiveSmallIntegerField(choices=CostClass, default=CostClass.NOT_FOR_SALE)
    created = models.DateTimeField(auto_now_add=True)
    updated = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["kind", "sort", "name"]
        indexes = [models.Index(fields=["ruleset", "kind", "status"])]
        constraints = [
            models.UniqueConstraint(fields=["ruleset", "kind", "slug"], name="element_slug_once_in_kind"),
            one_of("kind", Kind, "element_kind_known"),
            one_of("status", Status, "element_status_known"),
            one_of("cost_class", CostClass, "element_cost_class_known"),
        ]

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **kwargs: Any) -> None:
        if self.kind_of_class:
            self.kind = self.kind_of_class
        super().save(*args, **kwargs)

    def get_absolute_url(self) -> str:
        return reverse("rules:element", args=[self.ruleset.slug, self.kind, self.slug])

    @property
    def ref(self) -> str:
        return f"{self.kind}:{self.slug}"


class KindManager(models.Manager):
    """Only the elements of the kind that the class stands for."""

    def get_queryset(self) -> models.QuerySet[Element]:
        return super().get_queryset().filter(kind=self.model.kind_of_class)


def kind_proxy(name: str, kind: Kind, plural: str | None = None) -> type[Element]:
    """A proxy class for a kind without its own columns: it has its own admin page and permissions, but no table."""
    meta = type(
        "Meta", (), {"proxy": True, "verbose_name": kind.label, "verbose_name_plural": plural or f"{kind.label}s"}
    )
    namespace = {"__module__": __name__, "Meta": meta, "kind_of_class": kind, "objects": KindManager()}
    return type(name, (Element,), namespace)


CoreRules = kind_proxy("CoreRules", Kind.RULES, "core rules")
Term = kind_proxy("Term", Kind.TERM)  # a word of the game: its summary explains it, its parent is the rule
Chapter = kind_proxy("Chapter", Kind.CHAPTER)  # of “How to play”, for newcomers, in the order of `sort`
Knowledge = kind_proxy("Knowledge", Kind.KNOWLEDGE)
Tool = kind_proxy("Tool", Kind.TOOL)
Language = kind_proxy("Language", Kind.LANGUAGE)
Lineage = kind_proxy("Lineage", Kind.LINEAGE)
Culture = kind_proxy("Culture", Kind.CULTURE)
Background = kind_proxy("Background", Kind.BACKGROUND)
Disposition = kind_proxy("Disposition", Kind.DISPOSITION)
Size = kind_proxy("Size", Kind.SIZE)
Path = kind_proxy("Path", Kind.PATH)
Feature = kind_proxy("Feature", Kind.FEATURE)
Talent = kind_proxy("Talent", Kind.TALENT)
Category = kind_proxy("Category", Kind.CATEGORY, "categories")
WeaponProperty = kind_proxy("WeaponProperty", Kind.PROPERTY, "weapon properties")
DamageType = kind_proxy("DamageType", Kind.DAMAGE_TYPE)
Gear = kind_proxy("Gear", Kind.GEAR, "gear")

# kind -> class; items.py adds the kinds with their own columns.
ELEMENT_CLASSES: dict[str, type[Element]] = {
    str(cls.kind_of_class): cls
    for cls in (
        CoreRules, Knowledge, Tool, Language, Lineage, Culture, Background, Disposition, Size, Path, Feature, Talent,
        Category, WeaponProperty, DamageType, Gear, Term, Chapter,
    )
}  # fmt: skip
