"""An entry of homebrew, for those whose characters play by it, and for the person who made it."""

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from characters.people import visitor_of
from characters.read.open_sources import readable_homebrew
from rules.views import answer_element

from .books import book_of


@require_safe
def entry(request: HttpRequest, ruleset: str, kind: str, slug: str) -> HttpResponse:
    sources = readable_homebrew(visitor_of(request)).filter(ruleset__slug=ruleset).select_related("ruleset")
    source = sources.filter(elements__kind=kind, elements__slug=slug).first()
    library = book_of(source) if source else None
    found = library.bundle.elements.get(f"{kind}:{slug}") if library else None
    if library is None or found is None:
        raise Http404("There is no such rule.")
    return answer_element(request, library, found, "characters/homebrew/entry.html")
