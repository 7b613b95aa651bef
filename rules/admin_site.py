"""The index of the admin, with the kinds of content in groups for authors instead of one long list."""

from typing import Any

from django.contrib import admin
from django.contrib.admin.views.autocomplete import AutocompleteJsonView
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import Model, Q, QuerySet
from django.forms import ModelChoiceField
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from rules.homebrew import readable_by
from rules.models import Choice, Element, Resource, Source
from rules.models.vocabulary import Status
from rules.packs.columns import KIND_OF_COLUMN

SECTIONS = {
    "Where characters come from": ["Lineage", "Culture", "Background", "Disposition", "Size"],
    "What characters learn": [
        "Job", "Path", "Feature", "Talent", "Spell", "Ability", "Skill", "Knowledge", "Tool", "Language",
    ],
    "What characters carry": ["Weapon", "Armor", "Gear", "Category", "WeaponProperty", "DamageType"],
    "What happens to characters": ["Condition", "Circumstance"],
    "How the game works": [
        "Chapter", "CoreRules", "Term", "Stat", "Resource", "Choice", "RestEvent", "ActionTiming", "LookupTable",
        "Switch",
    ],
    "Where the rules come from": ["Element", "Source", "Ruleset"],
}  # fmt: skip


type App = dict[str, Any]  # as Django lists it: its name, its address, its models


def may_name(rows: QuerySet, source: Source | None, column: str) -> QuerySet:
    """Those of these rows that a row of `source` may newly name in this column; without a source, the public ones. A
    retired entry may still be named as the owner of rows."""
    if hasattr(rows.model, "status") and column != "owner":
        rows = rows.exclude(status=Status.RETIRED)
    home = "owner__source" if rows.model in (Choice, Resource) else "source"
    kind = {"kind": KIND_OF_COLUMN[column]} if rows.model is Element and column in KIND_OF_COLUMN else {}
    return rows.filter(**{f"{home}__in": readable_by(source) if source else Source.objects.public()}, **kind)


def with_kind(row: Model) -> str:
    """The words for an entry, with its kind, since entries of two kinds may share a name."""
    return f"{row} ({row.get_kind_display().lower()})" if isinstance(row, Element) else str(row)


class Autocomplete(AutocompleteJsonView):
    """Django's autocomplete, for content: offers the rows that rows of the source in the address may name; without a
    source, the public ones."""

    def process_request(self, request: HttpRequest) -> tuple[Any, ...]:
        term, *rest = super().process_request(request)
        return (term.replace("\0", ""), *rest)  # PostgreSQL takes no text with a NUL

    def get_queryset(self) -> QuerySet:
        rows = super().get_queryset()
        if rows.model._meta.app_label != Source._meta.app_label:
            return rows
        try:
            source = ModelChoiceField(Source.objects, required=False).clean(self.request.GET.get("source"))
        except ValidationError as wrong:
            raise PermissionDenied from wrong
        return may_name(rows, source, self.source_field.name)

    def serialize_result(self, obj: Model, to_field_name: str) -> dict[str, str]:
        return {**super().serialize_result(obj, to_field_name), "text": with_kind(obj)}


class AdminSite(admin.AdminSite):
    site_title = site_header = "Polyhedral: the rules"
    index_title = "Edit the rules"
    site_url = "/rules/"
    enable_nav_sidebar = False  # fields need the room, and the index is one click away

    def autocomplete_view(self, request: HttpRequest) -> HttpResponse:
        return Autocomplete.as_view(admin_site=self)(request)

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Django's index, plus the sources with unpublished edits for those who may publish them."""
        sources = Source.objects.public().filter(Q(edited__isnull=False) | Q(revision=0)).select_related("ruleset")
        may = request.user.has_perm("rules.change_source")
        return super().index(request, {**(extra_context or {}), "unpublished": sources if may else []})

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[App]:
        apps = super().get_app_list(request, app_label)
        sections: list[App] = []
        rest: list[App] = []
        for app in apps:
            if app["app_label"] == "rules":
                sections = self._sections(app)
            else:
                rest.append(app)
        return [*sections, *rest]

    def _sections(self, app: App) -> list[App]:
        models = {model["object_name"]: model for model in app["models"]}
        return [
            {
                **app,
                "name": title,
                "app_label": f"rules-{number}",
                "app_url": reverse("admin:app_list", args=["rules"]),
                "models": [models[name] for name in names if name in models],
            }
            for number, (title, names) in enumerate(SECTIONS.items(), 1)
            if any(name in models for name in names)
        ]
