"""Homebrew as a pack: downloaded here, and uploaded into another homebrew."""

from dataclasses import replace
from hashlib import sha256
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods, require_safe

from characters.pages.packs.pack_forms import PackForm, ReportForm, carried
from characters.pages.packs.pack_pages import of_problems, zip_of
from characters.pages.responses import SeeOther
from rules.packs.adopt import adopt, pack_of
from rules.packs.load import PackError
from rules.packs.pack_difference import difference
from rules.packs.source_rows import read_source
from rules.publications import beneath

from .place import HomebrewPlace
from .unpublished_entries import MOVED_ON, shown


@require_safe
def download(request: HttpRequest, place: HomebrewPlace) -> HttpResponse:
    """The working copy as a pack, for another table."""
    source = place.source()
    if source is None:
        raise Http404("There is nothing to download.")
    return zip_of(source)


@require_http_methods(["GET", "HEAD", "POST"])
def take(request: HttpRequest, place: HomebrewPlace) -> HttpResponse:
    """Reads a pack and reports on it. The report's form sends the files again, and then they are stored if nothing has
    changed since."""
    if request.method != "POST":
        return _take_page(request, place, form=PackForm())
    pressed = "carried" in request.POST
    form = ReportForm(request.POST) if pressed else PackForm(request.POST, request.FILES)
    if not form.is_valid():
        lost = "The report has lost its files. Choose the pack again." if pressed else ""
        return _take_page(request, place, status=422, form=PackForm() if pressed else form, refusal=lost)
    files = form.cleaned_data["carried" if pressed else "pack"]
    try:
        pack = pack_of(files, place.ruleset.slug)
        with transaction.atomic():
            source = place.locked()
            had = read_source(source)
            adopt(pack, source)
            lines = difference(had, read_source(source), beneath(source))
            # Without the row of the source: if the source is made only for the report, its name differs each time.
            digest = sha256(repr((sorted(files.items()), replace(had, source={}))).encode()).hexdigest()
            stored = pressed and form.cleaned_data["digest"] == digest
            transaction.set_rollback(not stored)
    except PackError as wrong:
        return _take_page(request, place, status=422, form=PackForm(), **of_problems(wrong))
    if stored:
        messages.success(request, "The pack was added. Publish it when it is ready.")
        return SeeOther(place.list_url)
    report = ReportForm(initial={"carried": carried(files), "digest": digest})
    stale = MOVED_ON if pressed else ""
    return _take_page(
        request, place, status=409 if pressed else 200, report=report, lines=shown(lines) or lines, refusal=stale
    )


def _take_page(request: HttpRequest, place: HomebrewPlace, status: int = 200, **shown: Any) -> HttpResponse:
    return render(request, "characters/homebrew/take.html", {"place": place, **shown}, status=status)
