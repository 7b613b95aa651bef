"""Two people edit one entry: the second sees both versions before overwriting the first (decision 075)."""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.admin.utils import unquote
from django.db import transaction
from django.db.models import Model
from django.forms import BaseInlineFormSet, Field, ModelForm
from django.forms.formsets import ManagementForm
from django.http import HttpRequest, HttpResponse, QueryDict

from rules import reading
from rules.number_text import number_in
from rules.patterns.entry_rows import PLACE

from .preview import ASKED, rows_of

SAW = "saw"

type SentRow = tuple[str, dict[str, list[str]]]  # see `sent_rows`


@dataclass(frozen=True)
class Theirs:
    """The version stored now, to show beside a form that was drawn from an older one."""

    by: LogEntry | None
    rows: list[str]
    sent_twice: bool  # Save was pressed twice: this form was saved, and nobody has saved since


class TwoEditors(admin.ModelAdmin):
    """A page whose form has a stamp of the version that it showed. If another version is stored by now, nothing is
    saved.

    The page then comes back with a fresh stamp and shows both versions; sending the form again saves it. A row that was
    deleted meanwhile becomes a new row. A row that a sentence covers counts only if its editor changed it.
    """

    theirs: Theirs | None = None

    def construct_change_message(
        self, request: HttpRequest, form: ModelForm, formsets: Iterable[BaseInlineFormSet], add: bool = False
    ) -> list[dict[str, Any]]:
        """Django's message, plus the digest of the form, which the history does not show."""
        return [*super().construct_change_message(request, form, formsets, add), {"form": digest(request.POST)}]

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        if request.method != "POST" or object_id is None or SAW not in request.POST or ASKED in request.POST:
            return super().changeform_view(request, object_id, form_url, extra_context)
        with transaction.atomic():
            page = copy(self)  # for this request alone: the admin has one object for all requests
            page.theirs = self.newer(request, unquote(object_id))
            return super(TwoEditors, page).changeform_view(request, object_id, form_url, extra_context)

    def newer(self, request: HttpRequest, pk: str) -> Theirs | None:
        """The stored version, if the form was drawn from an older one; the sent form then gets the stamp of the stored
        version. Locks the row."""
        row = self.get_object(request, pk)
        if row is None or not self.has_change_permission(request, row):
            return None
        type(row)._base_manager.select_for_update(of=("self",)).get(pk=row.pk)
        row.refresh_from_db()
        form, formsets = self.as_shown(request, row)
        saw, *untouched = request.POST[SAW].split() or [""]
        if saw == stamp(form, formsets, sent_ids(request.POST, formsets)):
            return None
        log = LogEntry.objects.filter(content_type__model=self.opts.model_name, object_id=str(row.pk))
        by = log.select_related("user").first()
        sent_twice = by is not None and by.user_id == request.user.pk and digest(request.POST) in by.change_message
        request.POST = request.POST.copy()
        for formset in formsets:
            resend(request.POST, formset, untouched)
        request.POST[SAW] = seen(form, formsets, sent_ids(request.POST, formsets))
        return Theirs(by, reading.sentences_of(rows_of(formsets)), sent_twice)

    def as_shown(self, request: HttpRequest, row: Model) -> tuple[ModelForm, list[BaseInlineFormSet]]:
        """The forms that the page would show now, without what was sent. In a POST the admin fills formsets with what
        was sent, so this uses a copy of the request that is a GET."""
        asking = copy(request)
        asking.method = "GET"
        formsets, _ = self._create_formsets(asking, row, change=True)
        return self.get_form(asking, row, change=True)(instance=row), formsets

    def get_form(
        self, request: HttpRequest, obj: Model | None = None, change: bool = False, **kwargs: Any
    ) -> type[ModelForm]:
        form = super().get_form(request, obj, change=change, **kwargs)
        form.moved_on = self.theirs is not None
        return form

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        form = context["adminform"].form
        formsets = [wrapped.formset for wrapped in context["inline_admin_formsets"]]
        context[SAW] = request.POST.get(SAW) or seen(form, formsets)
        if theirs := self.theirs:
            if theirs.sent_twice:
                return self.response_change(request, form.instance)
            mine = reading.sentences_of(rows_of(formsets))
            context["theirs"] = {
                "by": theirs.by,
                "fields": list(differing(form)),
                "their_rows": [line for line in theirs.rows if line not in mine],
                "my_rows": [line for line in mine if line not in theirs.rows],
            }
        return super().render_change_form(request, context, *args, **kwargs)


def digest(data: QueryDict) -> str:
    """A digest of what a form sends, the same for each of its buttons."""
    fields = [(name, values) for name, values in sorted(data.lists()) if not name.startswith("_")]
    return sha256(json.dumps(fields).encode()).hexdigest()


def seen(
    form: ModelForm, formsets: Iterable[BaseInlineFormSet], only: Mapping[str, Collection[str]] | None = None
) -> str:
    """The stamp of what these forms show, and a `row_stamp` for each row that its sentences cover."""
    lines = form.lines if "does" in form.fields else ()
    said = [row for line in lines for row in line.rows]
    rows = [
        row_stamp(formset, str(row.instance.pk), as_sent(row))
        for formset in formsets
        for row in formset.initial_forms
        if row.instance in said
    ]
    return " ".join([stamp(form, formsets, only), *rows])


def row_stamp(formset: BaseInlineFormSet, pk: str, columns: Mapping[str, list[str]]) -> str:
    """A digest of the columns sent for a row, except its place and empty ones."""
    content = {name: values for name, values in columns.items() if any(values) and name not in PLACE}
    return sha256(json.dumps([formset.prefix, pk, content], sort_keys=True).encode()).hexdigest()[:16]


def as_sent(form: ModelForm) -> dict[str, list[str]]:
    """The columns of a stored row as a browser sends them, except its place and empty ones."""
    values = {field.name: field.value() for field in form if not field.field.disabled and field.name not in PLACE}
    return {
        name: ["on" if value is True else str(value)]
        for name, value in values.items()
        if value is not None and value is not False and value != ""
    }


def stamp(
    form: ModelForm, formsets: Iterable[BaseInlineFormSet], only: Mapping[str, Collection[str]] | None = None
) -> str:
    """A digest of what these forms show. only: for each formset the rows that count, existing or not."""
    shown: list[Any] = [{name: plain(value) for name, value in sorted(form.initial.items()) if name in form.fields}]
    for formset in formsets:
        rows = {str(row.instance.pk): row.initial for row in formset.initial_forms}
        for pk in sorted(rows if only is None else only.get(formset.prefix, ())):
            initial = rows.get(pk)
            shown.append([formset.prefix, pk, initial and {name: plain(value) for name, value in initial.items()}])
    return sha256(json.dumps(shown, sort_keys=True).encode()).hexdigest()[:32]


def plain(value: object) -> str | list[str]:
    return [str(getattr(one, "pk", one)) for one in value] if isinstance(value, list | tuple) else str(value)


def sent_rows(data: QueryDict, formset: BaseInlineFormSet) -> list[SentRow]:
    """The rows of a formset as sent, in order: the id ("" for a new row) and columns of each."""
    many, stored = (number_in(data.get(f"{formset.prefix}-{name}")) or 0 for name in ("TOTAL_FORMS", "INITIAL_FORMS"))
    rows = []
    for at in range(min(many, formset.absolute_max)):
        begin = f"{formset.prefix}-{at}-"
        sent = {key.removeprefix(begin): data.getlist(key) for key in data if key.startswith(begin)}
        # Names of another formset may begin the same: those of "effects-2" are "effects-2-0-text",
        # "effects-2-TOTAL_FORMS".
        columns = {name: sent[name] for name in sent if name.isidentifier() and name not in ManagementForm.base_fields}
        rows.append((columns.get("id", [""])[0] if at < stored else "", columns))
    return rows


def sent_ids(data: QueryDict, formsets: Iterable[BaseInlineFormSet]) -> dict[str, list[str]]:
    return {formset.prefix: [pk for pk, _ in sent_rows(data, formset) if pk] for formset in formsets}


def resend(data: QueryDict, formset: BaseInlineFormSet, untouched: Collection[str]) -> None:
    """Change the sent rows that were deleted meanwhile into new ones, after the others.

    untouched: the stamps of rows that a sentence covers. A row sent with such a stamp is left to its sentence: it is
    replaced by the stored row, or left out if that is gone.
    """
    rows = sent_rows(data, formset)
    there = {str(row.instance.pk): row for row in formset.initial_forms}
    resent: list[SentRow] = []
    for pk, columns in rows:
        left_to_sentence = pk and row_stamp(formset, pk, columns) in untouched
        if pk in there and left_to_sentence:
            place = {name: values for name, values in columns.items() if name in PLACE}
            resent.append((pk, place | as_sent(there[pk])))
        elif pk in there:
            resent.append((pk, columns))
        elif not left_to_sentence:
            resent.append(("", columns | {"id": [""]}))
    resent.sort(key=lambda row: not row[0])
    for at, (_, columns) in enumerate(rows):
        for name in columns:
            del data[f"{formset.prefix}-{at}-{name}"]
    for at, (_, columns) in enumerate(resent):
        for name, values in columns.items():
            data.setlist(f"{formset.prefix}-{at}-{name}", values)
    if rows:
        data[f"{formset.prefix}-TOTAL_FORMS"] = str(len(resent))
        data[f"{formset.prefix}-INITIAL_FORMS"] = str(sum(bool(pk) for pk, _ in resent))


def differing(form: ModelForm) -> Iterator[tuple[str, str, str]]:
    """The fields of a sent form that differ from the stored row: label, theirs and mine, in words."""
    for name in form.changed_data:
        field = form.fields[name]
        theirs, mine = in_words(field, form.initial.get(name)), in_words(field, form[name].value())
        if theirs != mine:
            yield field.label, theirs, mine


def in_words(field: Field, value: object) -> str:
    values = [getattr(one, "pk", one) for one in value] if isinstance(value, list | tuple) else [value]
    if hasattr(field, "queryset"):
        known = {number_in(str(one)) for one in values} - {None}
        return ", ".join(str(row) for row in field.queryset.filter(pk__in=known))
    if hasattr(field, "choices"):
        words = {str(key): str(label) for key, label in field.choices}
        return ", ".join(words.get(str(one), str(one)) for one in values)
    return "" if value is None else "\n".join(str(field.prepare_value(value)).splitlines()).strip()
