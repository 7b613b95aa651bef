"""Publishing a source: its unpublished edits, publishing them, and restoring an earlier publication."""

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse

from rules.models import Publication, Source
from rules.packs.load import PackError, as_restored, placed, restore
from rules.packs.pack_difference import difference
from rules.packs.source_rows import read_source
from rules.publications import beneath, publish, stamp, unpacked
from rules.unpublished import Unpublished

LONGEST_NOTE = 2000
MOVED_ON = "The rules were edited after you opened this page. Read what is different now, then press again."


class Published(admin.ModelAdmin):
    """The pages where a source is published and restored."""

    change_form_template = "admin/rules/source.html"

    def get_urls(self) -> list[URLPattern]:
        pages = [
            path("<int:pk>/publish/", self.admin_site.admin_view(self.publish), name="rules_source_publish"),
            path(
                "<int:pk>/publications/<int:number>/",
                self.admin_site.admin_view(self.publication),
                name="rules_source_publication",
            ),
        ]
        return [*pages, *super().get_urls()]

    def publish(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Shows the differences between the working copy and what is in force; POST puts the working copy in force."""
        with transaction.atomic():
            source = self.found(request, pk)
            found = Unpublished(source)
            refusals = []
            if request.method == "POST":
                refusals = self.refused(request, found)
                if not refusals:
                    publication = publish(source, request.user, request.POST.get("note", "").strip())
                    self.log_change(request, source, f"Published as number {publication.number}.")
                    messages.success(request, f"Published. {source} is in force as you saw it.")
                    return HttpResponseRedirect(reverse("admin:rules_source_publish", args=[pk]))
            context = {
                "lines": found.lines,
                "faults": [*map(found.in_names, found.faults)] if found.lines else [],
                "refusals": refusals,
                "note": request.POST.get("note", ""),
                "saw": found.stamp,
                "publications": source.publications.select_related("author").defer("pack"),
                "title": f"Publish {source}",
            }
        return self.page(request, source, "publish", context, status=422 if refusals else 200)

    def refused(self, request: HttpRequest, found: Unpublished) -> list[str]:
        """The reasons, as sentences, why this form does not publish."""
        if request.POST.get("saw") != found.stamp:
            return [MOVED_ON]
        if not found.lines:
            return ["There is nothing to publish: the rows are the same as the rules in force."]
        if len(request.POST.get("note", "")) > LONGEST_NOTE:
            return [f"The note is too long: at most {LONGEST_NOTE:,} characters."]
        if "\0" in request.POST.get("note", ""):
            return ["The note has a character that cannot be stored. Write it again."]
        return list(map(found.in_names, found.faults))

    def publication(self, request: HttpRequest, pk: int, number: int) -> HttpResponse:
        """Shows a publication, and what restoring it would change in the working copy; POST restores it."""
        with transaction.atomic():
            source = self.found(request, pk)
            publication = get_object_or_404(source.publications.select_related("author"), number=number)
            publication.source = source
            working = read_source(source)
            refusals = []
            if request.method == "POST":
                refusals = self.restored(publication, request.POST.get("saw") == stamp(source, working))
                if not refusals:
                    self.log_change(request, source, f"Number {number} restored into the rows.")
                    messages.success(
                        request, f"The rows are as in number {number} again. Publish them to put them in force."
                    )
                    return HttpResponseRedirect(reverse("admin:rules_source_publish", args=[pk]))
            pack = unpacked(publication.pack)
            before = source.publications.filter(number__lt=number).first()
            context = {
                "publication": publication,
                "lines": difference(working, as_restored(publication, working), beneath(source)),
                "brought": difference(unpacked(before.pack), pack, beneath(source)) if before else None,
                "refusals": refusals,
                "saw": stamp(source, working),
                "title": f"{source}, number {number}",
            }
        return self.page(request, source, "publication", context, status=422 if refusals else 200)

    def restored(self, publication: Publication, seen: bool) -> list[str]:
        if not seen:
            return [MOVED_ON]
        try:
            with transaction.atomic():
                restore(publication)
        except PackError as error:
            return [placed(problem)[2] for problem in error.problems]
        return []

    def found(self, request: HttpRequest, pk: int) -> Source:
        """The source, locked for a POST."""
        sources = Source.objects.select_related("ruleset")
        if request.method == "POST":
            sources = sources.select_for_update(of=("self",))
        source = get_object_or_404(sources, pk=pk)
        if not self.has_change_permission(request, source):
            raise PermissionDenied
        return source

    def page(
        self, request: HttpRequest, source: Source, name: str, context: dict[str, Any], status: int
    ) -> TemplateResponse:
        shared = {**self.admin_site.each_context(request), "opts": self.opts, "source": source}
        return TemplateResponse(request, f"admin/rules/{name}.html", {**shared, **context}, status=status)
