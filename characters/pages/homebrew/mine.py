"""The homebrew that a person with an account makes for their own characters."""

from django.contrib.auth import get_user_model
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_safe

from characters.access import owned_by
from characters.models import Character
from characters.people import visitor_of
from rules.homebrew import begun
from rules.models import Ruleset, Source

from .place import HomebrewPlace, NoAccount

MOST_SHOWN = 12


@require_safe
def first(request: HttpRequest) -> HttpResponse:
    """Leads to the homebrew for the first game."""
    return redirect("characters:homebrew", get_object_or_404(Ruleset.objects.playable()[:1]).slug)


class PersonPlace(HomebrewPlace):
    """An account's homebrew for one game."""

    runs = True
    title = "My homebrew"
    lede = "What you have made for your own characters. Nobody else sees it."

    def __init__(self, request: HttpRequest, ruleset: str) -> None:
        if not request.user.is_authenticated:
            raise NoAccount("Homebrew is kept with an account.")
        games = list(Ruleset.objects.playable())
        found = next((one for one in games if one.slug == ruleset), None)
        if found is None:
            raise Http404("There is no such game.")
        self.ruleset = found
        self.games = [(reverse("characters:homebrew", args=[one.slug]), one) for one in games]
        self.person, self.owner = visitor_of(request), request.user.pk
        self.above = [("My characters", reverse("characters:list"))]

    def url(self, name: str, *args: object) -> str:
        return reverse(f"characters:{name}", args=[self.ruleset.slug, *args])

    def source(self) -> Source | None:
        mine = Source.objects.filter(homebrew__owner=self.owner, ruleset=self.ruleset).select_related("ruleset")
        return mine.order_by("pk").first()

    def locked(self) -> Source:
        user = get_user_model().objects.select_for_update().get(pk=self.owner)
        return self.source() or begun(self.ruleset, "My homebrew", user)

    def characters(self) -> QuerySet[Character]:
        return Character.objects.filter(owned_by(self.person), ruleset=self.ruleset)

    def plays(self) -> list[tuple[str, str]]:
        kept = self.characters().filter(binned_at=None).order_by("-changed_at")[:MOST_SHOWN]
        return [(reverse("characters:sources", args=[one.pk]), str(one)) for one in kept]
