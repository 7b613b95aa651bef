"""The rows of an element as inlines: each shows only the columns of its kind, with the row as a sentence."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import Field, Model, QuerySet
from django.forms import Script
from django.forms.models import BaseInlineFormSet
from django.http import HttpRequest

from rules import models, reading
from rules.models.vocabulary import Kind, RollAspect, TestWord
from rules.patterns.needs import ONLY_JOBS
from rules.publications import is_in_force

from .fields import OneOfSource, PlainFields, noscript, offer
from .made_keys import make_key, may_be_empty
from .row_checks import (
    check_grant,
    check_modifiers,
    check_resource,
    check_switch,
    check_targets,
    check_together,
    readable_ids,
)

NEEDS_ABILITY = {RollAspect.USES_ABILITY, RollAspect.MAY_USE_ABILITY}
CHANGED_TWICE = "You also changed its sentence in “What it does”. Change it in only one of the two places."
EMPTY_ROWS = 2
AMOUNT = (("amount", "of_stat", "times", "divided_by"), ("round_up", "per", "at_least", "at_most"))  # two lines


class RowForm(forms.ModelForm):
    """The form of a row. `required`: columns that may be empty in the table, because other kinds of row do not need
    them."""

    required: tuple[str, ...] = ()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in self.required:
            self.fields[name].required = True
        if self.makes_slug:
            may_be_empty(self.fields["slug"])
        for name, field in self.fields.items():
            widget = getattr(field.widget, "widget", None)  # the admin wraps it in its links
            if isinstance(widget, OneOfSource):
                widget.known = self.instance._state.fields_cache.get(name)

    @property
    def makes_slug(self) -> bool:
        return "slug" in self.fields and self.instance.pk is None

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if self.makes_slug and "slug" in cleaned:
            make_key(self, "slug")
        return cleaned

    def add_error(self, field: str | None, error: forms.ValidationError | str) -> None:
        """Leave out what the row itself says of a field that could not be read: to the row, that field is empty."""
        if field is None and hasattr(error, "error_dict"):
            kept = {name: found for name, found in error.error_dict.items() if name not in self.errors}
            if not kept:
                return
            error = forms.ValidationError(kept)
        super().add_error(field, error)

    @property
    def sentence(self) -> str:
        """The row as a sentence; "" for a new row, or one with faults."""
        return reading.sentence_of(self.instance) if self.instance.pk and not self.errors else ""


class AddedRows(PlainFields):
    """Rows are added by script. Without script, there are empty rows to fill in."""

    def get_extra(self, request: HttpRequest, obj: Model | None = None, **kwargs: Any) -> int:
        return EMPTY_ROWS if noscript(request) else 0


class RowOptions(AddedRows):
    """The base of every inline of rows. `ordered_by` is the column that dragging fills in."""

    ordered_by = ""

    class Media:
        js = (Script("js/ordering.js", type="module"),)

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        return reading.with_names(super().get_queryset(request))

    def formfield_for_dbfield(self, db_field: Field, request: HttpRequest, **kwargs: Any) -> forms.Field | None:
        field = super().formfield_for_dbfield(db_field, request, **kwargs)
        if field and db_field.name == self.ordered_by:
            field.widget.attrs["data-order"] = ""
        return field


class StatModifierForm(RowForm):
    required = ("stat", "op")


class RollModifierForm(RowForm):
    required = ("roll", "aspect")

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        aspect = cleaned.get("aspect")
        if aspect in NEEDS_ABILITY and not cleaned.get("ability"):
            self.add_error("ability", "Name the ability that is used.")
        if aspect == RollAspect.DAMAGE_TYPE and not cleaned.get("subject"):
            self.add_error("subject", "Name the damage type.")
        return cleaned


class GrantForm(RowForm):
    required = ("element", "grant_as")

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        element, owner = cleaned.get("element"), cleaned.get("owner")
        if element and owner and element.pk == owner.pk:
            self.add_error("element", "An element cannot grant itself.")
        return cleaned


class NoteRowForm(RowForm):
    required = ("text",)


class RowFormSet(BaseInlineFormSet):
    """The forms of an element's rows. `request.rewritten`: the rows that the element's sentences change."""

    def __init__(self, *args: Any, request: HttpRequest | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.request = request

    def add_fields(self, form: forms.ModelForm, index: int | None) -> None:
        super().add_fields(form, index)
        if isinstance(form.instance, models.Choice | models.Resource):
            form.instance.owner = self.instance
            form.fields["slug"].disabled = is_in_force(form.instance)
        offer(form, self.source)

    def clean(self) -> None:
        super().clean()
        rows = [form for form in self.forms if self._is_kept(form)]
        for form in rows:
            check_targets(form, self.ruleset_id, self.readable)
            if self._is_changed_twice(form):
                form.add_error(None, CHANGED_TWICE)
        self.check([form for form in rows if not form.errors])

    def check(self, rows: Sequence[forms.ModelForm]) -> None:
        """Check the rows together. Each is valid by itself already."""

    @property
    def ruleset_id(self) -> int | None:
        return self.instance.ruleset_id

    @property
    def source(self) -> models.Source | None:
        """The source of its rows; None if it is not chosen yet."""
        return getattr(self.instance, "source", None)

    @cached_property
    def readable(self) -> set[int] | None:
        return readable_ids(self.source)

    def _is_kept(self, form: forms.ModelForm) -> bool:
        leaves = self.can_delete and self._should_delete_form(form)
        return not leaves and hasattr(form, "cleaned_data") and bool(form.has_changed() or form.instance.pk)

    def _is_changed_twice(self, form: forms.ModelForm) -> bool:
        """True if both this form and a sentence of the same save change or delete the row."""
        rewritten = getattr(self.request, "rewritten", ())
        return bool(form.instance.pk and form.instance in rewritten and {*form.changed_data} - {"order", "sort"})


class StatModifierFormSet(RowFormSet):
    def check(self, rows: Sequence[forms.ModelForm]) -> None:
        check_modifiers(self, rows)


class GrantFormSet(RowFormSet):
    def check(self, rows: Sequence[forms.ModelForm]) -> None:
        for form in rows:
            check_grant(form)


class RequirementFormSet(RowFormSet):
    def check(self, rows: Sequence[forms.ModelForm]) -> None:
        for form in rows:
            check_switch(form)
            check_resource(form, self.ruleset_id)
        check_together(rows)


class PrerequisiteFormSet(RequirementFormSet):
    def check(self, rows: Sequence[forms.ModelForm]) -> None:
        super().check(rows)
        for form in rows:
            if form.cleaned_data.get("test") == TestWord.FIRST_JOB and self.instance.kind != Kind.JOB:
                form.add_error("test", ONLY_JOBS)


class ActionFormSet(RowFormSet):
    def check(self, rows: Sequence[forms.ModelForm]) -> None:
        """Refuse dice without a roll: the sheet would show them, and nobody could roll them."""
        for form in rows:
            if form.cleaned_data.get("dice") and not form.cleaned_data.get("roll"):
                form.add_error("roll", "Choose what its dice are rolled for, or write 0 dice.")


class SentenceInline(RowOptions, admin.StackedInline):
    """Rows that are shown as sentences, each opening to its columns."""

    template = "admin/rules/rows.html"
    formset = RowFormSet
    form = RowForm


class RowInline(SentenceInline):
    """The rows of an element."""

    fk_name = "owner"
    only: QuerySet | None = None  # of a large element, the rows that are edited now

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        rows = super().get_queryset(request)
        return rows if self.only is None else rows.filter(pk__in=[row.pk for row in self.only])


class EffectInline(RowInline):
    ordered_by = "order"


class StatModifierInline(EffectInline):
    model = models.StatModifier
    form = StatModifierForm
    formset = StatModifierFormSet
    verbose_name = "statistic modifier"
    autocomplete_fields = ("stat", "of_stat", "when")
    fields = (
        ("stat", "op", "amount", "when"),
        ("of_stat", "times", "divided_by", "round_up"),
        ("per", "at_least", "at_most", "from_rank"),
        ("stack_group", "this_item_only", "text", "order"),
    )


class RollModifierInline(EffectInline):
    model = models.RollModifier
    form = RollModifierForm
    autocomplete_fields = ("ability", "subject", "of_stat", "when")
    fields = (
        ("roll", "aspect", "amount", "when"),
        ("ability", "subject", "this_item_only", "from_rank"),
        ("of_stat", "times", "divided_by", "round_up"),
        ("per", "at_least", "at_most"),
        ("stack_group", "text", "order"),
    )


class GrantInline(EffectInline):
    model = models.Grant
    form = GrantForm
    formset = GrantFormSet
    autocomplete_fields = ("element", "when")
    fields = (("element", "grant_as", "quantity"), ("from_rank", "when", "text", "order"))


class NoteInline(EffectInline):
    model = models.Note
    form = NoteRowForm
    autocomplete_fields = ("stat", "when")
    fields = ("text", ("stat", "roll", "when", "from_rank"), ("this_item_only", "order"))


class ChoiceInline(RowInline):
    model = models.Choice
    show_change_link = True
    autocomplete_fields = ("filter_group",)
    ordered_by = "sort"
    fields = (
        ("slug", "prompt", "sort"),
        ("mode", "count", "grant_as", "from_rank"),
        ("filter_kind", "filter_group", "filter_parent"),
    )


class PrerequisiteInline(RowInline):
    model = models.Prerequisite
    formset = PrerequisiteFormSet
    autocomplete_fields = ("element", "stat", "switch")
    fields = (("test", "element", "stat", "switch"), ("value", "word", "negate", "either"))


class ResourceInline(RowInline):
    model = models.Resource
    autocomplete_fields = ("max_stat",)
    fields = (("slug", "name", "max_stat"), ("style", "die", "counts_up"))


class RecoveryInline(RowInline):
    model = models.Recovery
    autocomplete_fields = ("resource", "event", "when", "of_stat")
    fields = (("resource", "event", "full", "when"), *AMOUNT)


class ActionInline(RowInline):
    model = models.Action
    formset = ActionFormSet
    autocomplete_fields = ("timing", "resource", "fires", "when", "begins", "of_stat")
    ordered_by = "sort"
    ordering = ("sort", "pk")
    fields = (
        ("slug", "name", "timing", "sort"),
        "text",
        ("trigger", "range", "from_rank"),
        ("resource", "uses", "fires"),
        ("changes", "of_roll", "when", "begins"),
        ("roll", "dice", "die"),
        *AMOUNT,
    )


class PropertyUseInline(RowOptions, admin.TabularInline):
    model = models.PropertyUse
    ordered_by = "order"
    form = RowForm
    formset = RowFormSet
    fk_name = "item"
    autocomplete_fields = ("property",)
    fields = ("property", "a", "b", "note", "order")


class SuggestionInline(AddedRows, admin.TabularInline):
    model = models.Suggestion
    fields = ("aspect", "number", "text", "tag")
