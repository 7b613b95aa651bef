"""The admin's page that shows what publishing a source would do to characters, some at a time."""

import logging

from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, path

from rules.admin.publishing import Published

from .preview import AT_ONCE, holders, moved

LARGEST = 10**9


class PreviewPages(Published):
    """The address beside those of publishing; whoever may publish may look."""

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.preview)
        return [path("<int:pk>/preview/", view, name="rules_source_preview"), *super().get_urls()]

    def preview(self, request: HttpRequest, pk: int) -> HttpResponse:
        """`from`: how many characters were looked at before; `moved`: how many of those would move."""
        source = self.found(request, pk)
        before, moved_before = number(request, "from"), number(request, "moved")
        characters = holders(source)
        total = characters.count()
        some = list(characters[before : before + AT_ONCE])
        context = {**self.admin_site.each_context(request), "opts": self.opts, "source": source, "total": total}
        try:
            found = moved(source, some)
        except (
            Exception
        ):  # rows that are not published yet can break any rule of any game, and an author has to be told
            logging.getLogger(__name__).exception("A preview whose rules cannot be worked out")
            found, context["broken"] = [], True
        looked = before + len(some)
        context |= {
            "found": found,
            "looked": looked,
            "moved_so_far": moved_before + len(found),
            "next": looked if looked < total and some and "broken" not in context else None,
            "at_once": AT_ONCE,
            "title": f"Preview of {source}",
        }
        status = 422 if "broken" in context else 200
        return TemplateResponse(request, "admin/rules/source_preview.html", context, status=status)


def number(request: HttpRequest, name: str) -> int:
    """The number in the address, 0 for none or what is no number."""
    sent = request.GET.get(name, "")
    return min(int(sent), LARGEST) if sent.isascii() and sent.isdigit() and len(sent) < 12 else 0
