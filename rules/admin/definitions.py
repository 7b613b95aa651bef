"""The pages of what elements are made from: statistics, circumstances, choices, rests, tables, switches, sources."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import ForeignKey, ManyToManyField, Model, QuerySet
from django.forms import BaseInlineFormSet
from django.http import HttpRequest

from rules import models, reading
from rules.contradictions import NO_TESTS, lacks_tests
from rules.engine.phrases import first_up
from rules.models.ruleset import HOMEBREW, HOMEBREWS
from rules.models.vocabulary import SwitchType
from rules.packs.pack_difference import LABELS
from rules.publications import edited
from rules.rings import find_ring
from rules.stat_graph import StatGraph, graph_around

from .base import ContentAdmin, ContentForm, PartAdmin
from .checked_addresses import CheckedAddresses
from .inlines import AddedRows, RequirementFormSet, RowForm, RowFormSet, RowOptions, SentenceInline
from .publishing import Published
from .row_checks import check_circumstance
from .source_filter import SourceFilter


class StatForm(ContentForm):
    def clean_created_of(self) -> models.Stat | None:
        created_of = self.cleaned_data["created_of"]
        if created_of and self.instance.pk:
            graph = graph_around(self.instance.source)
            graph.created_of[self.instance.key] = created_of.key
            graph.check()
        return created_of


class DefinitionAdmin(ContentAdmin):
    form = ContentForm
    list_filter: tuple[str | type[SourceFilter], ...] = (SourceFilter,)
    list_select_related = ("source",)

    def get_readonly_fields(self, request: HttpRequest, obj: Model | None = None) -> tuple[str, ...]:
        return ("ruleset",) if obj else ()


@admin.register(models.Stat)
class StatAdmin(DefinitionAdmin):
    form = StatForm
    list_display = ("name", "key", "group", "format", "is_input", "source")
    list_filter = ("group", "format", "is_input", SourceFilter)
    search_fields = ("name", "key", "short_name")
    autocomplete_fields = ("switch", "spent_of", "created_of", "term")


class CircumstanceTestFormSet(RequirementFormSet):
    def clean(self) -> None:
        super().clean()
        if lacks_tests(self.instance.detection, list(filter(self._is_kept, self.forms))):
            raise ValidationError(f"{first_up(NO_TESTS)}.")

    def check(self, rows: Sequence[forms.ModelForm]) -> None:
        super().check(rows)
        check_circumstance(self, [form for form in rows if not form.errors])


class CircumstanceTestInline(SentenceInline):
    model = models.CircumstanceTest
    formset = CircumstanceTestFormSet
    autocomplete_fields = ("element", "stat", "switch")
    fields = (("test", "element", "stat", "switch"), ("value", "word", "negate", "either"))


@admin.register(models.Circumstance)
class CircumstanceAdmin(DefinitionAdmin):
    list_display = ("name", "slug", "detection", "group", "default_on", "source")
    list_filter = ("detection", "group", SourceFilter)
    search_fields = ("name", "slug")
    inlines = (CircumstanceTestInline,)


class PartForm(ContentForm):
    """The form of a row that belongs to an entry and has the entry's ruleset and source."""

    def ruleset_id(self, cleaned: Mapping[str, Any]) -> int | None:
        return getattr(self.owner(cleaned), "ruleset_id", None)

    def source(self, cleaned: Mapping[str, Any]) -> models.Source | None:
        return getattr(self.owner(cleaned), "source", None)

    def check_name(self, cleaned: Mapping[str, Any]) -> None:
        """Not checked here: the form has the owner, so Django finds another row of that name itself."""

    def owner(self, cleaned: Mapping[str, Any]) -> models.Element | None:
        return cleaned.get("owner") or getattr(self.instance, "owner", None)


class OptionFormSet(RowFormSet):
    @property
    def ruleset_id(self) -> int | None:
        return getattr(getattr(self.instance, "owner", None), "ruleset_id", None)

    @property
    def source(self) -> models.Source | None:
        return getattr(getattr(self.instance, "owner", None), "source", None)


class OptionInline(RowOptions, admin.TabularInline):
    model = models.ChoiceOption
    ordered_by = "order"
    form = RowForm
    formset = OptionFormSet
    autocomplete_fields = ("element", "stat")
    fields = ("element", "stat", "order")


@admin.register(models.Choice)
class ChoiceAdmin(PartAdmin):
    form = PartForm
    list_display = ("prompt", "owner", "slug", "reads_as")
    list_filter = ("mode", "owner__kind")
    search_fields = ("prompt", "slug", "owner__name")
    autocomplete_fields = ("owner", "count_of", "filter_group", "ceiling", "when")
    readonly_fields = ("reads_as",)
    inlines = (OptionInline,)
    fieldsets = (
        (None, {"fields": ("reads_as", "owner", "prompt", "slug", "sort")}),
        ("How many", {"fields": (("mode", "count", "count_of", "per_option_max"), ("ceiling", "budget"))}),
        (
            "From what",
            {
                "fields": (
                    ("filter_kind", "filter_group", "filter_parent"),
                    ("write_in", "distinct", "for_duplicates"),
                ),
                "description": "The options are everything that these filters find, and the elements listed below.",
            },
        ),
        ("When, and what for", {"fields": (("from_rank", "every", "when"), ("grant_as", "replaceable"))}),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        return reading.with_names(super().get_queryset(request))

    @admin.display(description="reads as")
    def reads_as(self, row: models.Choice) -> str:
        return reading.sentence_of(row) if row.pk else "\N{EM DASH}"


@admin.register(models.Resource)
class ResourceAdmin(PartAdmin):
    form = PartForm
    list_display = ("name", "owner", "slug", "style", "max_stat")
    list_select_related = ("owner", "max_stat")
    search_fields = ("name", "slug")
    ordering = ("name", "slug")
    autocomplete_fields = ("owner", "max_stat")


class RestEventForm(ContentForm):
    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if self.instance.pk and "includes" in cleaned:
            edges = [(event.slug, one.slug) for event in self._others() for one in event.includes.all()]
            edges += [(self.instance.slug, one.slug) for one in cleaned["includes"]]
            if find_ring(edges):
                self.add_error("includes", "An event cannot include itself or an event that includes it.")
        return cleaned

    def _others(self) -> QuerySet[models.RestEvent]:
        return models.RestEvent.objects.exclude(pk=self.instance.pk).prefetch_related("includes")


@admin.register(models.RestEvent)
class RestEventAdmin(DefinitionAdmin):
    form = RestEventForm
    list_display = ("name", "slug", "sort", "source")
    search_fields = ("name", "slug")
    autocomplete_fields = ("includes",)


@admin.register(models.ActionTiming)
class ActionTimingAdmin(DefinitionAdmin):
    list_display = ("name", "slug", "sort", "source")
    search_fields = ("name", "slug")


class LookupRowInline(AddedRows, admin.TabularInline):
    model = models.LookupRow


@admin.register(models.LookupTable)
class LookupTableAdmin(DefinitionAdmin):
    list_display = ("name", "slug", "source")
    inlines = (LookupRowInline,)


class ValuesField(forms.CharField):
    """A list of values, one per line."""

    widget = forms.Textarea(attrs={"rows": 4, "class": "vLargeTextField"})

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(value) if isinstance(value, list) else value

    def to_python(self, value: Any) -> list[str]:
        return [line.strip() for line in super().to_python(value).splitlines() if line.strip()]

    def validate(self, value: list[str]) -> None:
        super().validate(value)
        if len(set(value)) < len(value):
            raise ValidationError("Write each line once.")

    def has_changed(self, initial: Any, data: Any) -> bool:
        return self.to_python(self.prepare_value(initial)) != self.to_python(data)


class SwitchForm(ContentForm):
    allowed = ValuesField(
        label=first_up(LABELS["allowed"]),
        required=False,
        help_text="The values to choose from, one per line, as rules and files write them.",
    )
    labels = ValuesField(
        label="Labels",
        required=False,
        help_text="The words that people read for each of these values, in the same order.",
    )

    class Meta:
        help_texts = {"default": "In force until a table changes it: on or off, a number, or one of the values."}

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if cleaned.get("allowed") == []:
            if cleaned.get("type") == SwitchType.FLAG:
                cleaned["allowed"] = ["on", "off"]
            elif cleaned.get("type") == SwitchType.CHOICE:
                self.add_error("allowed", "Write the values, one per line.")
        return cleaned


@admin.register(models.Switch)
class SwitchAdmin(DefinitionAdmin):
    form = SwitchForm
    list_display = ("name", "key", "status", "type", "default", "source")
    list_filter = ("status", "group", "type", SourceFilter)
    search_fields = ("name", "key", "help")


class SourceForm(ContentForm):
    class Meta:
        labels = {"is_core": first_up(LABELS["is_core"])}  # also once it is fixed, when the page has no field for it

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if cleaned.get("slug", "").startswith(HOMEBREW):
            self.add_error("slug", HOMEBREWS)
        return cleaned

    def clean_requires(self) -> QuerySet:
        requires = self.cleaned_data["requires"]
        others = models.Source.objects.filter(ruleset=self.instance.ruleset_id).exclude(pk=self.instance.pk)
        edges = [
            (other.slug, one.slug) for other in others.prefetch_related("requires") for one in other.requires.all()
        ]
        edges += [(self.instance.slug, one.slug) for one in requires]
        if find_ring(edges):
            raise ValidationError("A source cannot require itself or a source that requires it.")
        return requires


@admin.register(models.Source)
class SourceAdmin(Published, ContentAdmin):
    form = SourceForm
    list_display = ("title", "ruleset", "version", "license", "edited")
    list_select_related = ("ruleset",)
    filter_horizontal = ("requires",)
    fieldsets = (
        (
            "Name and authors",
            {
                "fields": ("title", "version", "authors", ("license", "license_url"), "attribution", "url"),
                "description": "Everyone reads it as soon as you save. It changes no numbers.",
            },
        ),
        ("Where it belongs", {"fields": ("ruleset", "slug", "is_core", "requires")}),
    )

    def formfield_for_manytomany(
        self, db_field: ManyToManyField, request: HttpRequest, **kwargs: Any
    ) -> forms.Field | None:
        kwargs["queryset"] = models.Source.objects.public()
        return super().formfield_for_manytomany(db_field, request, **kwargs)

    def home_of(self, row: Model) -> int:
        return row.pk

    def source_to_publish(self, row: Model) -> None:
        """None: the new name of a source is visible to everyone as soon as it is saved."""

    def get_readonly_fields(self, request: HttpRequest, obj: models.Source | None = None) -> tuple[str, ...]:
        # Histories, files and packs name a source by its slug in its ruleset, so these stay. Once the source is in
        # force, changing `is_core` would put it in play for everyone, or for nobody, without a publication.
        named = ["ruleset", "slug"] if obj else []
        return (*super().get_readonly_fields(request, obj), *named, *(["is_core"] if obj and obj.revision else []))


class RulesetForm(forms.ModelForm):
    def clean_armor_stat(self) -> models.Stat | None:
        stat = self.cleaned_data["armor_stat"]
        if stat:
            graph = StatGraph(armor_stat=stat.key)
            graph.add_sources(models.Source.objects.public().filter(ruleset=self.instance.pk))
            graph.check()
        return stat


@admin.register(models.Ruleset)
class RulesetAdmin(CheckedAddresses):
    form = RulesetForm
    list_display = ("name", "slug", "version_label", "game")

    def formfield_for_foreignkey(self, db_field: ForeignKey, request: HttpRequest, **kwargs: Any) -> forms.Field | None:
        kwargs["queryset"] = models.Stat.objects.filter(source__homebrew=None)
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def get_readonly_fields(self, request: HttpRequest, obj: models.Ruleset | None = None) -> list[str]:
        # Files and packs name a game by its slug, and the code of the game asks for its rows.
        return ["slug", "game"] if obj else []

    def save_related(
        self, request: HttpRequest, form: forms.ModelForm, formsets: Sequence[BaseInlineFormSet], change: bool
    ) -> None:
        super().save_related(request, form, formsets, change)
        for source in form.instance.sources.values_list("pk", flat=True):
            edited(source)
