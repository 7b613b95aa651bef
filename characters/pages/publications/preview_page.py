"""The admin's page that shows what publishing a source would do to characters, some at a time."""

import logging

from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path

from rules.admin.publishing import Published

from .preview import AT_ONCE, foreseen, holders

LARGEST = 10**9
BROKEN = "With these rows the sheets cannot be worked out. Look at what has to be put right before you publish."


class PreviewPages(Published):
    """The address beside those of publishing; whoever may publish may look."""

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.preview)
        return [path("<int:pk>/preview/", view, name="rules_source_preview"), *super().get_urls()]

    def preview(self, request: HttpRequest, pk: int) -> HttpResponse:
        """`from`: how many characters were looked at before; `moved`: how many of those would move."""
        source = self.found(request, pk)
        before, moved_before = number(request, "from"), number(request, "moved")
        characters = holders(source.ruleset.slug, source.slug, is_core=source.is_core)
        total = characters.count()
        some = list(characters[before : before + AT_ONCE])
        looked, found, refusals = before + len(some), [], []
        try:
            found = foreseen(source, some)
        except Exception:  # rows not yet published can break any rule of any game, and an author has to be told
            logging.getLogger(__name__).exception("A preview whose rules cannot be worked out")
            refusals = [BROKEN]
        context = {
            "found": found,
            "refusals": refusals,
            "total": total,
            "looked": looked,
            "moved_so_far": moved_before + len(found),
            "next": looked if looked < total and some else None,
            "at_once": AT_ONCE,
            "title": f"Preview of {source}",
        }
        return self.page(request, source, "source_preview", context, status=422 if refusals else 200)


def number(request: HttpRequest, name: str) -> int:
    """The number in the address, 0 for none or what is no number."""
    sent = request.GET.get(name, "")
    return min(int(sent), LARGEST) if sent.isascii() and sent.isdigit() and len(sent) < 12 else 0
