"""The rules for one character: everything that it could take now, and the failing requirement of everything else."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from characters.access import playable_by
from characters.models import Character
from characters.pages.homebrew.books import books_of
from characters.people import visitor_of
from characters.read.open import OpenCharacter
from rules.engine.standing import HAS, INSTEAD, LACKS, OPEN, standings
from rules.search import asked, find

STATES = {OPEN: "Can choose", INSTEAD: "Can swap", LACKS: "Cannot choose yet", HAS: "Has"}
MOST = 100


@require_safe
def can_take(request: HttpRequest, pk: int) -> HttpResponse:
    opened = OpenCharacter.playable(request, pk)
    found = standings(opened.bundle, opened.stored.build, opened.sheet)
    search = find(
        **asked(request.GET),
        books=books_of(opened.character.ruleset, opened.bundle),
        states={ref: one.state for ref, one in found.items()},
        titles=STATES,
    )
    rows = [(result, found[result.entry.ref]) for result in search.results]
    context = {
        **opened.context,
        "search": search,
        "rows": [(result, one, STATES[one.state]) for result, one in rows],
    }
    template = "characters/can_take/results.html" if request.htmx else "characters/can_take/page.html"
    response = render(request, template, context)
    if request.htmx:
        response["HX-Replace-Url"] = f"{request.path}?{search.address}".removesuffix("?")
    response["Vary"] = "HX-Request, Cookie"
    return response


@require_safe
def choose_character(request: HttpRequest) -> HttpResponse:
    """The page on which the visitor chooses one of the characters that they play, to search for it."""
    mine = Character.objects.filter(playable_by(visitor_of(request))).order_by("-changed_at")[:MOST]
    return render(request, "characters/can_take/which.html", {"mine": mine, "asked": request.GET.urlencode()})
