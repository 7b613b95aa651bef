"""The admin's page that shows what publishing a source would do to characters: some at a time, until all are tried.

With script the page asks for the next ones by itself and can be stopped; without it, a button does. Nothing is kept
between two requests: the address says how far the last one got.
"""

import logging
from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path

from rules.admin.publishing import Published
from rules.number_text import LARGEST, number_in

from .moved_characters import AT_ONCE, holders, moved_by_publishing

MOST_SHOWN = 200  # of the characters that change, on a page that continues by itself
BROKEN = "The sheets cannot be worked out with these rows. Fix what is wrong before you publish."


@dataclass(frozen=True)
class PreviewProgress:
    """The point that a preview has reached: the id of the last character tried, how many were tried, and how many of
    them move."""

    last: int = LARGEST
    tried: int = 0
    moved: int = 0

    @classmethod
    def of(cls, request: HttpRequest) -> "PreviewProgress":
        sent = {name: number_in(request.GET.get(name)) or 0 for name in ("last", "tried", "moved")}
        return cls(**sent) if sent["tried"] else cls()

    @property
    def query(self) -> str:
        return "?" + urlencode({"last": self.last, "tried": self.tried, "moved": self.moved})


class PreviewPages(Published):
    """An address added to those of publishing, for people who may publish."""

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.preview)
        return [path("<int:pk>/preview/", view, name="rules_source_preview"), *super().get_urls()]

    def preview(self, request: HttpRequest, pk: int) -> HttpResponse:
        """The next characters of a preview, the newest first; with `stop` none, until it is continued."""
        source, before = self.found(request, pk), PreviewProgress.of(request)
        characters, stopped = holders(source.ruleset.slug, source.slug, is_core=source.is_core), "stop" in request.GET
        total = characters.count()
        some = [] if stopped else list(characters.filter(pk__lt=before.last).order_by("-pk")[:AT_ONCE])
        found, refusals = [], []
        try:
            found = moved_by_publishing(source, some)
        except Exception:  # unpublished rows can break the code of any game, and their author has to know
            logging.getLogger(__name__).exception("A preview whose rules cannot be worked out")
            refusals = [BROKEN]
        now = before
        if some:
            now = PreviewProgress(some[-1].pk, before.tried + len(some), before.moved + len(found))
        more = stopped or len(some) == AT_ONCE
        context = {
            "found": found[: max(0, MOST_SHOWN - before.moved)] if request.htmx else found,
            "untold": max(0, now.moved - MOST_SHOWN) if request.htmx else 0,
            "refusals": refusals,
            "total": max(total, now.tried),
            "now": now,
            "more": more and now.tried < total,
            "stopped": stopped,
            "at_once": AT_ONCE,
            "title": f"Preview of {source}",
        }
        name = "_preview_next" if request.htmx else "source_preview"
        return self.page(request, source, name, context, status=422 if refusals else 200)
