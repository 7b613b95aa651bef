"""The filter of lists by source, with a single option for all homebrew."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from rules.models import Source

HOMEBREW = "homebrew"


class SourceFilter(admin.SimpleListFilter):
    title = "source"
    parameter_name = "source"

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin) -> list[tuple[str, str]]:
        return [*((str(pk), title) for pk, title in Source.objects.public().values_list("pk", "title")),
                (HOMEBREW, "Homebrew")]  # fmt: skip

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        chosen = self.value()
        if chosen == HOMEBREW:
            return queryset.exclude(source__homebrew=None)
        return queryset.filter(source=chosen) if chosen in dict(self.lookup_choices) else queryset
