"""The pages of a pack in the admin: upload with a report before anything is stored, and download."""

from collections.abc import Mapping
from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.utils import quote
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse

from characters.pages.responses import as_file
from rules.models import Source
from rules.packs.export import files_of
from rules.packs.load import PackError, placed
from rules.packs.packing import zipped
from rules.packs.source_rows import read_source

from .pack_forms import LOST, PackForm, ReportForm, carried
from .pack_trial import PackTrial, StaleReport, store, tried

MOST_SHOWN = 200  # problems; in a pack with more, they repeat each other


class PackPages(admin.ModelAdmin):
    """Addresses beside those of sources. Uploading needs the right to add a source, downloading the right to see it."""

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view
        return [
            path("upload/", view(self.upload), name="rules_source_upload"),
            path("upload/store/", view(self.store), name="rules_source_store"),
            path("<int:pk>/download/", view(self.download), name="rules_source_download"),
            *super().get_urls(),
        ]

    def upload(self, request: HttpRequest) -> HttpResponse:
        self._may_add(request)
        if request.method != "POST":
            return self._page(request, PackForm())
        form = PackForm(request.POST, request.FILES)
        if not form.is_valid():
            return self._page(request, form, status=422)
        files = form.cleaned_data["pack"]
        try:
            return self._report(request, files, tried(files))
        except PackError as wrong:
            return self._page(request, PackForm(), status=422, **of_problems(wrong))

    def store(self, request: HttpRequest) -> HttpResponse:
        self._may_add(request)
        if request.method != "POST":
            return HttpResponseRedirect(reverse("admin:rules_source_upload"))
        form = ReportForm(request.POST)
        if not form.is_valid():
            return self._page(request, PackForm(), status=422, refusal=LOST)
        files = form.cleaned_data["carried"]
        try:
            source = store(files, form.cleaned_data["digest"], request.user)
        except PackError as wrong:
            return self._page(request, PackForm(), status=422, **of_problems(wrong))
        except StaleReport as stale:
            return self._report(request, files, stale.trial, status=409, refusal=str(stale))
        self.log_change(request, source, "Uploaded a pack.")
        messages.success(request, f"{source} is stored and in force.")
        return HttpResponseRedirect(reverse("admin:rules_source_change", args=[quote(source.pk)]))

    def download(self, request: HttpRequest, pk: int) -> HttpResponse:
        source = self.get_object(request, str(pk))
        if source is None:
            raise Http404
        if not self.has_view_permission(request, source):
            raise PermissionDenied
        return zip_of(source)

    def _may_add(self, request: HttpRequest) -> None:
        if not self.has_add_permission(request):
            raise PermissionDenied

    def _page(self, request: HttpRequest, form: PackForm, status: int = 200, **more: Any) -> HttpResponse:
        return self._answer(request, "upload", "Upload a pack", status, form=form, **more)

    def _report(
        self, request: HttpRequest, files: Mapping[str, bytes], trial: PackTrial, status: int = 200, refusal: str = ""
    ) -> HttpResponse:
        form = ReportForm(initial={"carried": carried(files), "digest": trial.digest})
        title = f"Report on {trial.title}"
        return self._answer(request, "report", title, status, form=form, trial=trial, refusal=refusal)

    def _answer(self, request: HttpRequest, name: str, title: str, status: int, **shown: Any) -> HttpResponse:
        context = {**self.admin_site.each_context(request), "opts": self.opts, "title": title, **shown}
        return TemplateResponse(request, f"admin/rules/source/{name}.html", context, status=status)


def of_problems(wrong: PackError) -> dict[str, Any]:
    """For the page: file, line and reason of each problem."""
    found = [(file, str(line), reason) for file, line, reason in map(placed, wrong.problems)]
    return {"problems": found[:MOST_SHOWN], "more": max(0, len(found) - MOST_SHOWN)}


def zip_of(source: Source) -> HttpResponse:
    files = {name: text.encode() for name, text in files_of(read_source(source)).items()}
    return as_file(zipped(files, folder=source.slug), f"{source.slug}.zip", "application/zip")
