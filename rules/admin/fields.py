"""The fields of every page of content: plain words, room for sentences, few links beside them, and no homebrew among
the options."""

from typing import Any

from django import forms
from django.contrib.admin.options import BaseModelAdmin, TabularInline
from django.contrib.admin.widgets import (
    AutocompleteMixin,
    AutocompleteSelect,
    AutocompleteSelectMultiple,
    RelatedFieldWidgetWrapper,
)
from django.core.validators import RegexValidator
from django.db import models
from django.forms import Media, Script
from django.http import HttpRequest

from rules.admin_site import may_name, with_kind
from rules.engine.phrases import first_up
from rules.models import Source
from rules.models.vocabulary import SLUG, SLUGS, STAT_KEY, SWITCH_KEY, Status
from rules.number_text import number_in
from rules.packs.columns import KIND_OF_COLUMN
from rules.packs.pack_difference import LABELS
from rules.packs.scalars import LONGEST_TEXT, RANGES
from rules.packs.schema import MEANING
from rules.tidy_field import TidyField

from .checked_addresses import SeveralField

# Sentences that explain the patterns of names.
SHAPES = {
    SLUG: "Write small letters, digits and single hyphens, such as bog-walk.",
    SLUGS: "Write slugs with one space between, such as bog-walk fen-walk.",
    STAT_KEY: "Begin with a small letter. Then write letters, digits, dots and hyphens, such as bog-sense.",
    SWITCH_KEY: "Begin with a small letter. Then write letters and digits, such as bogDepth.",
}
A_SENTENCE = 200  # a field for longer texts is as wide as the page


class OfSource(AutocompleteMixin):
    """An autocomplete that offers the rows that rows of `source` may name; without a source, the public ones."""

    source: Source | None = None

    @property
    def media(self) -> Media:
        return super().media + Media(js=[Script("js/named.js", type="module")])

    def get_url(self) -> str:
        return f"{super().get_url()}?source={self.source.pk}" if self.source else super().get_url()

    def optgroups(
        self, name: str, value: list[str], attr: dict[str, Any] | None = None
    ) -> list[tuple[str | None, list[dict[str, Any]], int]]:
        """Leaves out values that cannot be ids, which Django would query. The field says what is wrong with them."""
        return super().optgroups(name, [one for one in value if number_in(str(one)) is not None], attr)


class OneOfSource(OfSource, AutocompleteSelect):
    """An autocomplete that needs no query for its selected row if that is `known`."""

    known: models.Model | None = None

    def optgroups(
        self, name: str, value: list[str], attr: dict[str, Any] | None = None
    ) -> list[tuple[str | None, list[dict[str, Any]], int]]:
        if self.known is None or [str(selected) for selected in value] != [str(self.known.pk)]:
            return super().optgroups(name, value, attr)
        blank = [] if self.is_required else [self.create_option(name, "", "", False, 0)]
        return [(None, [*blank, self.create_option(name, self.known.pk, as_selected(self.known), True, 0)], 0)]


class SeveralOfSource(OfSource, AutocompleteSelectMultiple):
    pass


class InFull(OfSource):
    """A menu of everything that a search would find, after what is selected. `lists` shares the found rows with other
    menus of the same request: pairs of a row's id and its words, by table, source and kind."""

    lists: dict[tuple[type[models.Model], Source | None, str | None], list[tuple[int, str]]]

    def optgroups(
        self, name: str, value: list[str], attr: dict[str, Any] | None = None
    ) -> list[tuple[str | None, list[dict[str, Any]], int]]:
        [(title, selected, place)] = super().optgroups(name, value, attr)
        if not selected and not self.allow_multiple_selected:  # otherwise a browser would select the first option
            selected = [self.create_option(name, "", "", True, 0)]
        there = {str(option["value"]) for option in selected}
        rows, column = self.choices.queryset, self.field.name
        key = (rows.model, self.source, KIND_OF_COLUMN.get(column))
        if key not in self.lists:
            self.lists[key] = [(row.pk, with_kind(row)) for row in may_name(rows, self.source, column)]
        rest = [self.create_option(name, pk, words, False, 0) for pk, words in self.lists[key] if str(pk) not in there]
        return [(title, [*selected, *rest], place)]


class OneInFull(InFull, OneOfSource):
    pass


class SeveralInFull(InFull, SeveralOfSource):
    pass


def as_selected(row: models.Model) -> str:
    """The row's name, with “retired” if it is: such a row stays selected, but cannot be selected again."""
    return f"{row} (retired)" if getattr(row, "status", "") == Status.RETIRED else str(row)


def showing_retired(field: forms.Field | None) -> forms.Field | None:
    if field:
        field.label_from_instance = as_selected
    return field


def noscript(request: HttpRequest) -> bool:
    """True if the address asks for the form for browsers without script."""
    return bool(request.GET.get("noscript"))


def offer(form: forms.BaseForm, source: Source | None) -> None:
    """Make the autocompletes of this form offer the rows that rows of `source` may name."""
    for field in form.fields.values():
        widget = getattr(field.widget, "widget", None)  # the admin wraps it in its links
        if isinstance(widget, OfSource):
            widget.source = source


class PlainFields(BaseModelAdmin):
    """The options that pages and inlines share."""

    def formfield_for_foreignkey(
        self, db_field: models.ForeignKey, request: HttpRequest, **kwargs: Any
    ) -> forms.Field | None:
        kwargs["to_field_name"] = "id"  # Django checks the size of a number only for columns that are not references
        if db_field.name in self.get_autocomplete_fields(request):
            kwargs["widget"] = self.menu(db_field, request, OneOfSource, OneInFull)
        return showing_retired(super().formfield_for_foreignkey(db_field, request, **kwargs))

    def formfield_for_manytomany(
        self, db_field: models.ManyToManyField, request: HttpRequest, **kwargs: Any
    ) -> forms.Field | None:
        kwargs["form_class"] = SeveralField
        if db_field.name in self.get_autocomplete_fields(request):
            kwargs["widget"] = self.menu(db_field, request, SeveralOfSource, SeveralInFull)
        return showing_retired(super().formfield_for_manytomany(db_field, request, **kwargs))

    def menu(
        self, db_field: models.Field, request: HttpRequest, searched: type[OfSource], in_full: type[InFull]
    ) -> OfSource:
        if not noscript(request):
            return searched(db_field, self.admin_site)
        menu = in_full(db_field, self.admin_site)
        menu.lists = request.__dict__.setdefault("menu_lists", {})
        return menu

    def formfield_for_dbfield(self, db_field: models.Field, request: HttpRequest, **kwargs: Any) -> forms.Field | None:
        if isinstance(db_field, models.IntegerField):  # SQLite would take any number; packs and PostgreSQL do not
            kwargs["min_value"], kwargs["max_value"] = RANGES[db_field.get_internal_type()]
        if isinstance(db_field, models.TextField):
            kwargs |= {"form_class": TidyField, "max_length": LONGEST_TEXT}
        if db_field.name in LABELS:
            kwargs.setdefault("label", first_up(LABELS[db_field.name]))
        if not db_field.help_text and db_field.name in MEANING:
            kwargs.setdefault("help_text", MEANING[db_field.name])
        field = super().formfield_for_dbfield(db_field, request, **kwargs)
        if field and isinstance(field.widget, RelatedFieldWidgetWrapper):
            # The row it refers to is viewed and deleted on its own page.
            field.widget.can_delete_related = field.widget.can_view_related = False
        if field and type(db_field) is models.CharField and (db_field.max_length or 0) >= A_SENTENCE:
            field.widget.attrs["class"] = "vTextField sentence"
        if field and isinstance(self, TabularInline):  # its columns have headings in place of labels
            field.widget.attrs["aria-label"] = str(field.label)
        for check in db_field.validators if field else ():
            if isinstance(check, RegexValidator) and check.regex.pattern in SHAPES:
                field.error_messages["invalid"] = SHAPES[check.regex.pattern]
        return field
