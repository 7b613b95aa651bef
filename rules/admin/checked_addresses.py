"""Checks columns to filter by and ids of rows, which anyone can write into an address or a form of the admin."""

from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db.models import ManyToManyField, Model, QuerySet
from django.http import HttpRequest, HttpResponse

from rules.number_text import number_in
from rules.search import LONGEST_QUERY


class SeveralField(forms.ModelMultipleChoiceField):
    def clean(self, value: Any) -> Any:
        """Refuses values that cannot be ids without asking the database."""
        for one in value or ():
            if number_in(str(one)) is None:
                raise forms.ValidationError(self.error_messages["invalid_pk_value"], "invalid_pk_value", {"pk": one})
        return super().clean(value)


class CheckedAddresses(admin.ModelAdmin):
    """A page that ignores filters, searches and ids that none of its links has, before they reach the database."""

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Allows only the filters of the list. Django would query any column, and numbers too large for the
        database."""
        offered = {one if isinstance(one, str) else one.parameter_name for one in self.get_list_filter(request)}
        column = lookup.removesuffix("__exact").removesuffix("__isnull").removesuffix("__id")
        return column in offered and "\0" not in value

    def get_search_results(self, request: HttpRequest, queryset: QuerySet, search_term: str) -> tuple[QuerySet, bool]:
        """Searches for the beginning of a long term only: SQLite takes neither 50,000 letters nor 1,000 words."""
        found: tuple[QuerySet, bool] = super().get_search_results(request, queryset, search_term[:LONGEST_QUERY])
        return found

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Model | None:
        """Also None for a number that is too large for the database."""
        return None if number_in(object_id) is None else super().get_object(request, object_id, from_field)

    def response_action(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse | None:
        """Ignores ticked values that cannot be ids."""
        ticked = [pk for pk in request.POST.getlist(ACTION_CHECKBOX_NAME) if number_in(pk) is not None]
        request.POST = request.POST.copy()
        request.POST.setlist(ACTION_CHECKBOX_NAME, ticked)
        return super().response_action(request, *args, **kwargs)

    def formfield_for_manytomany(
        self, db_field: ManyToManyField, request: HttpRequest, **kwargs: Any
    ) -> forms.Field | None:
        kwargs["form_class"] = SeveralField
        return super().formfield_for_manytomany(db_field, request, **kwargs)
