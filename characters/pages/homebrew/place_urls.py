"""The addresses of the homebrew pages. A table and a person have the same ones."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path

from . import entry_editing, listing, pack_exchange, publish_page
from .place import HomebrewPlace, NoAccount

type Page = Callable[..., HttpResponse]
type PlaceOf = Callable[..., HomebrewPlace]


def homebrew_urls(under: str, writes: PlaceOf, reads: PlaceOf) -> list[URLPattern]:
    """The addresses of all these pages at a place. `writes` finds the place for someone who may write, `reads` for
    someone who may read; both raise Http404 for anyone else."""
    return [
        path(under, _at(listing.listing, reads), name="homebrew"),
        path(f"{under}new/<slug:kind>/", _at(entry_editing.new, writes), name="homebrew-new"),
        path(f"{under}publish/", _at(publish_page.to_publish, writes), name="homebrew-publish"),
        path(f"{under}copy/", _at(listing.copy, writes), name="homebrew-copy"),
        path(f"{under}take/", _at(pack_exchange.take, writes), name="homebrew-take"),
        path(f"{under}download/", _at(pack_exchange.download, writes), name="homebrew-download"),
        path(f"{under}<int:entry>/", _at(entry_editing.edit, writes), name="homebrew-edit"),
        path(f"{under}<int:entry>/delete/", _at(entry_editing.delete, writes), name="homebrew-delete"),
    ]


def _at(page: Page, place_of: PlaceOf) -> Page:
    @wraps(page)
    def view(request: HttpRequest, **found: Any) -> HttpResponse:
        which = {name: found.pop(name) for name in ("campaign", "ruleset") if name in found}
        try:
            place = place_of(request, **which)
        except NoAccount:
            if request.method in ("GET", "HEAD"):
                return redirect_to_login(request.get_full_path())
            raise
        return page(request, place, **found)

    return view
