"""An element as readers will see it: its card, and each of its rows as a sentence.

The page of an element shows what is stored. Its button “Preview” sends the form, which is validated, saved, read back
and rolled back, so nothing is stored. With script, `static/js/preview.js` sends it after each change.
"""

from collections.abc import Collection, Iterable
from typing import Any

from django.contrib import admin
from django.db import IntegrityError, transaction
from django.db.models import Model
from django.forms import BaseInlineFormSet, Script
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse

from rules import reading
from rules.models import Element

from .inlines import RowForm

ASKED = "_preview"


class Previewed(admin.ModelAdmin):
    class Media:
        js = (Script("js/preview.js", type="module"),)

    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Tries again if someone saved the same name at the same moment: the second time, the form finds theirs and
        says so."""
        try:
            return super().changeform_view(request, *args, **kwargs)
        except IntegrityError:
            return super().changeform_view(request, *args, **kwargs)

    def response_add(self, request: HttpRequest, obj: Element, post_url_continue: str | None = None) -> HttpResponse:
        return self._preview(request, obj) or super().response_add(request, obj, post_url_continue)

    def response_change(self, request: HttpRequest, obj: Element) -> HttpResponse:
        return self._preview(request, obj) or super().response_change(request, obj)

    def _preview(self, request: HttpRequest, element: Element) -> HttpResponse | None:
        if ASKED not in request.POST:
            return None
        transaction.set_rollback(True)
        shown = {"element": element, "sentences": request.sentences, "title": f"Preview of {element}"}
        context = {**self.admin_site.each_context(request), "opts": self.opts, **shown}
        return TemplateResponse(request, "admin/rules/preview_page.html", context)

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        formsets = [wrapped.formset for wrapped in context["inline_admin_formsets"]]
        form = context["adminform"].form
        own = [form.instance] if form.instance.pk and not form.errors else []
        context |= {"element": form.instance, "sentences": reading.sentences_of([*own, *rows_of(formsets)])}
        return super().render_change_form(request, context, *args, **kwargs)


def rows_of(formsets: Iterable[BaseInlineFormSet], without: Collection[Model] = ()) -> list[Model]:
    """The rows of these formsets, except those in `without`, deleted rows, and rows with faults."""
    return [
        form.instance
        for formset in formsets
        if issubclass(formset.form, RowForm)
        for form in formset.forms
        if form.sentence and form not in formset.deleted_forms and form.instance not in without
    ]
