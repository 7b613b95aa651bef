"""A large element is shown whole and edited part by part, because a page of hundreds of forms is slow and hard to
search."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.contrib import admin
from django.contrib.admin.options import InlineModelAdmin
from django.db.models import QuerySet, Value
from django.http import HttpRequest, HttpResponse

from rules import reading
from rules.models import Element

from .inlines import RowInline

MOST_ROWS = 40  # an element with more rows is large
A_PART = 20


@dataclass(frozen=True)
class RowsPart:
    """Some of an element's rows of one kind, from row `start` on. It is empty if the element has no such row yet."""

    inline: RowInline
    start: int
    count: int
    rows: QuerySet

    @property
    def slug(self) -> str:
        return f"{self.inline.opts.model_name}-{self.start}"

    @property
    def title(self) -> str:
        name = str(self.inline.opts.verbose_name_plural).capitalize()
        last = min(self.start + A_PART, self.count)
        return f"{name} {self.start + 1} to {last}" if self.count > A_PART else name

    @property
    def sentences(self) -> list[str]:
        return [reading.sentence_of(row) for row in self.rows]


class EditedByParts(admin.ModelAdmin):
    """Edits one part of a large element with `?rows=<part>`. Without it, the page has the element's own fields and a
    list of its parts."""

    change_form_template = "admin/rules/by_parts.html"

    def get_inline_instances(self, request: HttpRequest, obj: Element | None = None) -> list[InlineModelAdmin]:
        inlines = super().get_inline_instances(request, obj)
        parts = self.parts(request, obj, inlines)
        if not parts:
            return inlines
        wanted = chosen(request, parts)
        if wanted is None:
            return [inline for inline in inlines if not isinstance(inline, RowInline)]
        # The rows of a sent form are looked up among all rows, since rows may have been added or deleted after the page
        # was drawn.
        wanted.inline.only = None if request.method == "POST" else wanted.rows
        return [wanted.inline]

    def parts(
        self, request: HttpRequest, obj: Element | None, inlines: Iterable[InlineModelAdmin]
    ) -> tuple[RowsPart, ...]:
        """The parts of a large element, found once per request; empty for an element that is edited whole."""
        if not hasattr(request, "element_parts"):
            request.element_parts = parts_of(request, obj, inlines) if obj else ()
        return request.element_parts

    def response_change(self, request: HttpRequest, obj: Element) -> HttpResponse:
        response = super().response_change(request, obj)
        part = chosen(request, getattr(request, "element_parts", ()))
        if part and "_continue" in request.POST:
            response["Location"] += "#parts"
        return response

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        parts = getattr(request, "element_parts", ())
        context |= {"parts": parts, "part": chosen(request, parts)}
        return super().render_change_form(request, context, *args, **kwargs)


def chosen(request: HttpRequest, parts: Iterable[RowsPart]) -> RowsPart | None:
    return next((part for part in parts if part.slug == request.GET.get("rows")), None)


def parts_of(request: HttpRequest, element: Element, inlines: Iterable[InlineModelAdmin]) -> tuple[RowsPart, ...]:
    rows = [inline for inline in inlines if isinstance(inline, RowInline)]
    numbered = [
        inline.model._default_manager.filter(owner=element.pk).order_by().values_list(Value(number))
        for number, inline in enumerate(rows)
    ]
    counts = (
        Counter(number for (number,) in numbered[0].union(*numbered[1:], all=True).order_by()) if rows else Counter()
    )
    if counts.total() <= MOST_ROWS:
        return ()
    return tuple(
        RowsPart(inline, start, counts[number], own[start : start + A_PART])
        for number, inline in enumerate(rows)
        for own in [inline.get_queryset(request).filter(owner=element.pk)]
        for start in range(0, max(1, counts[number]), A_PART)
    )
