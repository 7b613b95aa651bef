"""The live pages of a character: the regions of each, and what each shows besides the character."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from characters import introductions, unseen
from characters.pages.drawing import draw
from characters.pages.game_templates import template_of
from characters.pages.publications.new_rules import new_rules
from characters.read.page_cache import form_tokens
from rules.games.contract import Game
from rules.games.region import Region

from .drawn_forms import Forms, Refusal
from .history_page import history_of, rolls_of
from .live import LiveCharacter
from .live_regions import DOWNTIME, GLANCE, HISTORY, POOL, REST, ROLLS, context_of
from .pooling import pool_for
from .rest_preview import downtime_page, rest_page
from .sheet_html import body

MOST_KEPT = 400  # characters; no address needs more, and a redirect to a very long one cannot be sent


@dataclass(frozen=True)
class LivePage:
    """A live page. It draws its `regions` again after an action, with the context that `more` adds; a page without
    regions of its own draws those of the sheet that changed.

    keeps: fields that its address and its forms carry along. back: the page that its forms lead to; they are then sent
    without htmx, but a page in PAGES still shows its own refusals. tells: it shows the newest change itself, so a plain
    form that leads back to it adds no message. of_game: only some games have it.
    """

    name: str
    template: str
    regions: tuple[Region, ...] = ()
    more: Callable[[HttpRequest, LiveCharacter], dict[str, Any]] = lambda request, live: {}
    keeps: tuple[str, ...] = ()
    back: str = ""
    tells: bool = False
    of_game: bool = False

    @property
    def posted_as(self) -> str:
        """The value of the field `page` in this page's forms."""
        return self.name if self.name in PAGES else self.back

    def url(self, pk: int, posted: Mapping[str, str], region: str, **also: str) -> str:
        """The address that a plain form leads back to: the page as it was, at the region that changed. `also` are
        further parameters."""
        if self.back:
            return PAGES[self.back].url(pk, posted, region)
        kept = {field: posted[field][:MOST_KEPT] for field in self.keeps if posted.get(field)}
        query = urlencode({**kept, **also})
        place = self.regions[0].id if self.regions else region
        return f"{reverse(f'characters:{self.name}', args=[pk])}{'?' * bool(query)}{query}#{place}"

    def is_of(self, game: Game) -> bool:
        return not self.of_game or self.name in game.pages

    def open(self, request: HttpRequest, pk: int) -> LiveCharacter:
        """The character for this page, if the visitor may play it and its game has the page; else Http404."""
        live = LiveCharacter.playable(request, pk)
        if not self.is_of(live.game):
            raise Http404("This game has no such page.")
        return live

    def show(
        self,
        request: HttpRequest,
        live: LiveCharacter,
        *,
        status: int = 200,
        refusal: Refusal | None = None,
        asked: Mapping[str, str] | None = None,
        **extra: Any,
    ) -> HttpResponse:
        context = context_of(live, **{**self.more(request, live), **extra})
        bundle = live.bundle
        if self.regions:
            tokens, plain = form_tokens(request), bool(self.back)
            forms = Forms(tokens, live.base, page=self.posted_as, plain=plain, refusal=refusal, asked=asked or {})
            context["region"] = draw(template_of(bundle, self.regions[0].template), {**context, "forms": forms})
        else:
            context["looked"] = looked_of(request, live, refusal)
            beside = (tuple(live.others.items()), live.recent)
            context["regions"] = body(request, context, beside=beside, refusal=refusal)
            context["introduces"] = not introductions.has_read(live.visitor)
        return render(request, template_of(bundle, self.template), context, status=status)


def looked_of(request: HttpRequest, live: LiveCharacter, refusal: Refusal | None) -> str:
    """For the owner, what others have changed since they last looked, and what new rules did; "" for anyone else. The
    forms in it are plain, since no action draws it again."""
    if not live.role.owns:
        return ""
    changes, rules = unseen.shown_to_owner(live.character, live.visitor), new_rules(live.character, live.version)
    if changes is None and rules is None:
        return ""
    forms = Forms(form_tokens(request), live.base, plain=True, refusal=refusal)
    shown = {"changes": changes, "rules": rules, "base": live.base, "forms": forms}
    return draw(template_of(live.bundle, "play/looked.jinja"), shown)


PAGES = {
    "": LivePage("sheet", "sheet/page.html"),
    "rest": LivePage("rest", "play/rest.html", (REST,), rest_page, of_game=True),
    "downtime": LivePage("downtime", "play/downtime.html", (DOWNTIME,), downtime_page, back="rest", of_game=True),
    "pool": LivePage("pool", "play/pool.html", (POOL,), pool_for, keeps=("ranks",), of_game=True),
    "history": LivePage("history", "play/history.html", (HISTORY,), history_of, ("kind", "before")),
    "rolls": LivePage("rolls", "play/rolls.html", (ROLLS,), rolls_of, ("before",)),
    "glance": LivePage("glance", "play/glance.html", (GLANCE,), tells=True, of_game=True),
    # Undoing a level leads to the list of levels; a refusal is shown on the sheet.
    "levels": LivePage("levels", "sheet/page.html"),
}
SINCE = LivePage("since", "play/since.html", (Region("history", "play/since.jinja"),), back="history")
ROLL = LivePage("prepare-roll", "play/roll.html", (Region("rolls", "play/roll.jinja"),), of_game=True)
