"""The base of every page of content. An edit changes only the working copy of its source, until the source is
published."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.options import InlineModelAdmin
from django.db import transaction
from django.db.models import Model, QuerySet
from django.forms import BaseInlineFormSet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html

from rules import copies, reading
from rules.homebrew import readable_by
from rules.models import Element, Ruleset, Source
from rules.models.vocabulary import Status
from rules.patterns.form import SentencesForm
from rules.publications import edited, is_in_force

from . import inlines
from .by_parts import EditedByParts
from .checked_addresses import CheckedAddresses
from .deletion import Deletion, deleted_with, without_own_rows
from .fields import PlainFields, offer
from .made_keys import CALLED, make_key, may_be_empty
from .preview import Previewed, rows_of
from .ranks import ranks_of
from .row_checks import check_targets, readable_ids
from .source_filter import SourceFilter
from .two_editors import TwoEditors

type Fieldset = tuple[str | None, dict[str, Any]]  # its title, and Django's options for it


class ContentAdmin(PlainFields, CheckedAddresses, TwoEditors):
    """A page that marks the source as edited, not yet published, on each save and deletion."""

    home = "source"  # the column that leads to the row's source (`PartAdmin`: to its entry)

    def home_of(self, row: Model) -> int:
        return getattr(row, f"{self.home}_id")

    def note(self, homes: Iterable[int]) -> None:
        """Mark the sources with these ids as edited."""
        for source in homes:
            edited(source)

    def source_to_publish(self, row: Model) -> Source | None:
        """The source to publish before players get the change; None if the change does not need it."""
        return row.source

    def response_add(self, request: HttpRequest, obj: Model, post_url_continue: str | None = None) -> HttpResponse:
        return self._tell_unpublished(request, obj, super().response_add(request, obj, post_url_continue))

    def response_change(self, request: HttpRequest, obj: Model) -> HttpResponse:
        return self._tell_unpublished(request, obj, super().response_change(request, obj))

    def _tell_unpublished(self, request: HttpRequest, row: Model, answer: HttpResponse) -> HttpResponse:
        """The answer to a save. The next page says that players do not have these changes yet, with a link for those
        who may publish them. A popup, which closes, gets no such message."""
        source = self.source_to_publish(row)
        leads_on = answer.has_header("Location")
        if source is None or not leads_on or not Source.objects.public().filter(pk=source.pk).exists():
            return answer
        if request.user.has_perm("rules.change_source"):
            page = reverse("admin:rules_source_publish", args=[source.pk])
            source = format_html('<a href="{}">{}</a>', page, source)
        messages.info(request, format_html("Players have it once {} is published.", source))
        return answer

    def save_related(
        self, request: HttpRequest, form: forms.ModelForm, formsets: Sequence[BaseInlineFormSet], change: bool
    ) -> None:
        super().save_related(request, form, formsets, change)
        moved_from = form.initial.get(self.home) if self.home in form.changed_data else None
        self.note({home for home in (self.home_of(form.instance), moved_from) if home is not None})

    def delete_model(self, request: HttpRequest, obj: Model) -> None:
        home = self.home_of(obj)
        super().delete_model(request, obj)
        self.note({home})

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet) -> None:
        homes = {self.home_of(row) for row in queryset}
        with transaction.atomic():
            super().delete_queryset(request, queryset)
            self.note(homes)

    def get_deleted_objects(self, objs: Iterable[Model], request: HttpRequest) -> Deletion:
        """Rows in force cannot be deleted: characters may take them until they are published as retired."""
        kept = [
            f"{row} is published. {'Retire it instead.' if hasattr(row, 'status') else 'It cannot be deleted.'}"
            for row in objs
            if is_in_force(row)
        ]
        to_delete, counts, lacking, protected = deleted_with(objs, request, self.admin_site)
        return to_delete, counts, lacking, [*protected, *kept]

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        """Fills in the ruleset and the source if there is only one."""
        initial = super().get_changeform_initial_data(request)
        for name, rows in (("ruleset", Ruleset.objects), ("source", Source.objects.public())):
            found = list(rows.values_list("pk", flat=True)[:2])
            if len(found) == 1:
                initial.setdefault(name, found[0])
        return initial


class PartAdmin(ContentAdmin):
    """The page of a row that belongs to an entry. An edit of it is an edit of the entry, too."""

    home = "owner"

    def source_to_publish(self, row: Model) -> Source | None:
        return row.owner.source

    def note(self, homes: Iterable[int]) -> None:
        """Mark the sources of these entries as edited, and update the time of each entry, so that older forms of it
        count as stale."""
        entries = Element.objects.filter(pk__in=homes)
        entries.update(updated=timezone.now())
        super().note(set(entries.values_list("source", flat=True)))


NAMES = {"slug", "key", "source", "owner"}


class ContentForm(forms.ModelForm):
    """A form whose references all stay within its ruleset, and whose row keeps its published slug or key."""

    moved_on = False  # someone has saved the row since this form was drawn

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        source = self.source({})
        offer(self, source)
        among = readable_by(source) if source else Source.objects.public()
        for name, rows in (("source", among), ("owner", Element.objects.filter(source__in=among))):
            if name in self.fields:
                self.fields[name].queryset = rows
        for name in self.made_names:
            may_be_empty(self.fields[name])
        if is_in_force(self.instance):
            for name in NAMES & self.fields.keys():
                self.fields[name].disabled = True
                self.fields[name].help_text = "Fixed once published: characters, files and packs refer to it by this."

    @property
    def made_names(self) -> set[str]:
        """The slug or key of a new row, which the author may leave to the site."""
        can_be = self.instance.pk is None and CALLED & self.fields.keys()
        return {"slug", "key"} & self.fields.keys() if can_be else set()

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        for name in self.made_names & cleaned.keys():
            make_key(self, name)
        check_targets(self, self.ruleset_id(cleaned), readable_ids(self.source(cleaned)))
        self.check_name(cleaned)
        return cleaned

    def check_name(self, cleaned: Mapping[str, Any]) -> None:
        """Refuse the slug or key of another row. Django checks only constraints whose columns are all fields of the
        form."""
        model = self._meta.model
        same = model.objects.filter(ruleset=self.ruleset_id(cleaned)).exclude(pk=self.instance.pk)
        for name in {"slug", "key"} & cleaned.keys():
            other = same.filter(**{name: cleaned[name]}).first()
            kind = model._meta.verbose_name
            if other and self.data.get(self.add_prefix(name)):
                self.add_error(name, f"Another {kind} already has this {name}. Choose another {name}.")
            elif other:  # the author left it to the site
                made = f"The {name} made from this name is {cleaned[name]}, which the {kind} “{other}” already has."
                self.add_error(name, f"{made} Choose another name, or write a {name}.")

    def is_valid(self) -> bool:
        """Also False, without any error, if saving would replace a version that the form did not show."""
        return super().is_valid() and not self.moved_on

    def ruleset_id(self, cleaned: Mapping[str, Any]) -> int | None:
        ruleset = cleaned.get("ruleset")
        return ruleset.pk if ruleset else self.instance.ruleset_id

    def source(self, cleaned: Mapping[str, Any]) -> Source | None:
        """The source of its row; None if it is not chosen yet, or for a source itself."""
        return cleaned.get("source") or getattr(self.instance, "source", None)


class ElementForm(SentencesForm, ContentForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "status" in self.fields:
            self.fields["status"].help_text = "Published: in play once its source is published, too. Draft: left out."

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        source, name = cleaned.get("source"), cleaned.get("name")
        if source and name and "does" in cleaned:
            self.read_sentences(source, name, cleaned["does"])
        if self.instance.pk:
            if cleaned.get("parent") and cleaned["parent"].pk == self.instance.pk:
                self.add_error("parent", "An element cannot be its own parent.")
            if any(group.pk == self.instance.pk for group in cleaned.get("groups") or ()):
                self.add_error("groups", "An element cannot be a group of its own.")
        return cleaned


class ElementAdmin(Previewed, EditedByParts, ContentAdmin):
    """The page of one kind of element. `columns` are the kind's own; with `items`, the item's rows come first."""

    form = ElementForm
    columns: tuple[str | tuple[str, ...], ...] = ()
    item_inlines: tuple[type[InlineModelAdmin], ...] = ()
    list_display: tuple[str, ...] = ("name", "status", "source", "summary", "updated")
    list_filter: tuple[str | type[SourceFilter], ...] = ("status", SourceFilter)
    list_select_related: tuple[str, ...] = ("source",)
    search_fields = ("name", "slug", "summary", "text")
    ordering = ("sort", "name")
    autocomplete_fields: tuple[str, ...] = ("parent", "groups")
    prepopulated_fields = {"slug": ("name",)}
    actions = ("ready", "retire", "copy")
    save_on_top = True
    inlines = (
        inlines.StatModifierInline,
        inlines.RollModifierInline,
        inlines.GrantInline,
        inlines.NoteInline,
        inlines.ChoiceInline,
        inlines.PrerequisiteInline,
        inlines.ResourceInline,
        inlines.RecoveryInline,
        inlines.ActionInline,
    )

    def get_fieldsets(self, request: HttpRequest, obj: Element | None = None) -> list[Fieldset]:
        own: list[Fieldset] = [("Of this kind", {"fields": self.columns})] if self.columns else []
        return [
            (
                None,
                {"fields": ("name", "slug", "summary", "does", "text", ("status", "page_ref"), ("ruleset", "source"))},
            ),
            *own,
            (
                "Where it belongs",
                {"fields": ("parent", "groups", ("sort", "repeatable", "cost_class"), "was"), "classes": ["collapse"]},
            ),
        ]

    def save_form(self, request: HttpRequest, form: ElementForm, change: bool) -> Element:
        request.rewritten = form.edit.replaced  # for the checks of the rows, which come next
        return super().save_form(request, form, change)

    def get_formset_kwargs(
        self, request: HttpRequest, obj: Element | None, inline: InlineModelAdmin, prefix: str
    ) -> dict[str, Any]:
        kwargs = super().get_formset_kwargs(request, obj, inline, prefix)
        return kwargs | ({"request": request} if issubclass(inline.formset, inlines.RowFormSet) else {})

    def save_related(
        self, request: HttpRequest, form: forms.ModelForm, formsets: Sequence[BaseInlineFormSet], change: bool
    ) -> None:
        super().save_related(request, form, formsets, change)
        form.write_sentences(form.instance)
        rows = [form.instance, *rows_of(formsets, without=form.edit.replaced), *form.edit.stored]
        request.sentences = reading.sentences_of(rows)

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        lines = context["adminform"].form.lines
        said = [row for line in lines for row in line.rows]
        for wrapped in context["inline_admin_formsets"]:
            for form in wrapped.formset.forms:
                form.said_above = form.instance.pk is not None and form.instance in said and not form.errors
            wrapped.formset.some_said_above = any(form.said_above for form in wrapped.formset.forms)
        context["ranks"] = ranks_of(context["adminform"].form.instance)
        return super().render_change_form(request, context, *args, **kwargs)

    def source_to_publish(self, row: Element) -> Source | None:
        return None if row.status == Status.DRAFT else super().source_to_publish(row)

    def delete_model(self, request: HttpRequest, obj: Element) -> None:
        with transaction.atomic():
            without_own_rows(obj)
            super().delete_model(request, obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet) -> None:
        with transaction.atomic():
            for entry in queryset:
                without_own_rows(entry)
            super().delete_queryset(request, queryset)

    def get_inlines(self, request: HttpRequest, obj: Element | None) -> list[type[InlineModelAdmin]]:
        return [*self.item_inlines, *super().get_inlines(request, obj)]

    def get_readonly_fields(self, request: HttpRequest, obj: Element | None = None) -> tuple[str, ...]:
        # Rows of the element point into its ruleset, so that cannot be changed.
        return (*super().get_readonly_fields(request, obj), *(["ruleset"] if obj else []))

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        return {"status": Status.DRAFT, **super().get_changeform_initial_data(request)}

    @admin.action(description="Ready: in play once its source is published", permissions=["change"])
    def ready(self, request: HttpRequest, queryset: QuerySet[Element]) -> None:
        self._move(request, queryset, Status.PUBLISHED, "ready")

    @admin.action(description="Retire: those who have it keep it, nobody else can choose it", permissions=["change"])
    def retire(self, request: HttpRequest, queryset: QuerySet[Element]) -> None:
        self._move(request, queryset, Status.RETIRED, "retired")

    @admin.action(description="Copy: a draft with the same rows", permissions=["add"])
    def copy(self, request: HttpRequest, queryset: QuerySet[Element]) -> None:
        if queryset.model.kind_of_class in copies.COPIED_NEVER:
            messages.error(request, "These cannot be copied: a game needs exactly the ones it has.")
            return
        with transaction.atomic():
            made = [copies.copied(element) for element in queryset]
            self.note({element.source_id for element in made})
        for element in made:
            page = reverse(f"admin:rules_{element._meta.model_name}_change", args=[element.pk])
            messages.success(request, format_html('<a href="{}">{}</a> is now a draft.', page, element))

    def _move(self, request: HttpRequest, queryset: QuerySet[Element], status: Status, word: str) -> None:
        rows = list(queryset.exclude(status=status))
        with transaction.atomic():
            queryset.update(status=status)
            self.note({row.source_id for row in rows})
        count = len(rows)
        messages.success(request, f"{count} {'is' if count == 1 else 'are'} now {word}.")
