"""The homebrew that an account makes for its own characters."""

from django.contrib.auth import get_user_model
from django.db.models import QuerySet
from django.http import Http404, HttpRequest
from django.urls import reverse

from characters.access import owned_by
from characters.models import Character
from characters.people import visitor_of
from characters.verbs.begin import a_game
from rules.homebrew import begun
from rules.models import Ruleset, Source

from .place import Place

MOST_SHOWN = 12


class Mine(Place):
    runs = True
    title = "My homebrew"
    lede = "What you have made for your own characters. Nobody else sees it."

    def __init__(self, request: HttpRequest) -> None:
        if not request.user.is_authenticated:
            raise Http404("Homebrew is kept with an account.")
        self.person, self.owner = visitor_of(request), request.user.pk
        self.above = [("My characters", reverse("characters:list"))]

    def url(self, name: str, *args: object) -> str:
        return reverse(f"characters:{name}", args=args)

    def ruleset(self) -> Ruleset:
        return a_game()

    def source(self) -> Source | None:
        mine = Source.objects.filter(homebrew__owner=self.owner).select_related("ruleset")
        return mine.order_by("pk").first()

    def locked(self) -> Source:
        user = get_user_model().objects.select_for_update().get(pk=self.owner)
        return self.source() or begun(self.ruleset(), "My homebrew", user)

    def characters(self) -> QuerySet[Character]:
        return Character.objects.filter(owned_by(self.person))

    def plays(self) -> list[tuple[str, str]]:
        kept = self.characters().filter(binned_at=None).order_by("-changed_at")[:MOST_SHOWN]
        return [(reverse("characters:sources", args=[one.pk]), str(one)) for one in kept]
