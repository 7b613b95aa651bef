"""The parts of a live page: each is one partial with one id, drawn again when what it shows has changed."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.http import HttpRequest

from characters.pages.drawing import draw
from characters.pages.game_templates import template_of
from characters.read.page_cache import form_tokens
from characters.read.versions import Version
from rules.games.region import Region

from .drawn_forms import Forms, Refusal
from .live import LiveCharacter

TRAY = Region("tray", "play/tray.jinja")
# Part of every answer: the newest change, with a button to undo it, and the newest roll.
LATEST = Region("latest", "play/latest.jinja")
GLANCE = Region("glance", "play/glance.jinja")
REST = Region("rest", "play/rest.jinja")
DOWNTIME = Region("downtime-page", "play/downtime.jinja")
POOL = Region("pool", "play/pool.jinja")
HISTORY = Region("history", "play/history.jinja")
ROLLS = Region("rolls", "play/rolls.jinja")


def context_of(live: LiveCharacter, **more: Any) -> dict[str, Any]:
    """The context that every region reads, besides `forms`."""
    return {
        "live": live,
        "opened": live,
        "character": live.character,
        "bundle": live.bundle,
        "build": live.build,
        "page": live.version.page,
        "table": live.version.table,
        "base": live.base,
        "before": None,  # where a page of the log of rolls begins
        **more,
    }


def changed_regions(earlier: Version | None, now: Version) -> Sequence[Region]:
    """The regions of the sheet, or parts of them, that differ; all of them if the earlier version is not in the
    cache."""
    regions = now.bundle.game.regions
    if earlier is None or earlier.bundle is not now.bundle:
        return regions
    found = differing(regions, earlier, now)
    return [*found, *(one for one in regions if one.by_log and one not in found and one.of(now))]


def differing(regions: Sequence[Region], was: Version, now: Version) -> list[Region]:
    found: list[Region] = []
    for region in regions:
        if region.of(was) != region.of(now):
            found.append(region)
        elif region.parts:
            found += differing(region.parts, was, now)
    return found


def drawn(
    request: HttpRequest,
    live: LiveCharacter,
    regions: Iterable[Region],
    *,
    page: str = "",
    refusal: Refusal | None = None,
    **more: Any,
) -> str:
    """These regions as HTML for htmx."""
    forms = Forms(form_tokens(request), live.base, page=page, refusal=refusal)
    context = context_of(live, forms=forms, **more)
    return "".join([for_htmx(region, context) for region in regions])


def for_htmx(region: Region, context: dict[str, Any]) -> str:
    """A region for htmx, which swaps it in and leaves alone any field that someone is typing in."""
    html = draw(template_of(context["bundle"], region.template), {**context, "name": region.name})
    return f'<hx-partial hx-target="#{region.id}" hx-swap="outerMorph">{html}</hx-partial>'
