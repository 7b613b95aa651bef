from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.views.decorators.http import require_safe

from characters.samples import with_lines
from rules.games import GAMES
from rules.games.outcome import listed
from rules.models import Ruleset


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    # The front picture of the first game that has one.
    pictures = [f"games/{name}/front_picture.html" for name in GAMES]
    games = [str(one) for one in Ruleset.objects.playable()]
    return render(
        request, "home.html", {"samples": with_lines(), "pictures": pictures, "games": games, "named": listed(games)}
    )


@require_safe
def favicon(request: HttpRequest) -> HttpResponse:
    """The icon, for browsers on pages that do not name one, such as the admin's."""
    return redirect(static("favicon.svg"))
