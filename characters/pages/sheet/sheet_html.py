"""The regions of a sheet as HTML: drawn once for each version of the character, then kept."""

from collections.abc import Hashable
from typing import Any

from django.http import HttpRequest
from django.middleware.csrf import get_token

from characters.pages.drawing import draw
from characters.pages.game_templates import template_of
from characters.people import visitor_of
from characters.read import page_cache

from .drawn_forms import Forms, Refusal


def body(
    request: HttpRequest,
    context: dict[str, Any],
    *,
    beside: Hashable = None,
    refusal: Refusal | None = None,
) -> str:
    """The regions of a sheet, from the cache or drawn. `beside` is everything they show that does not come from this
    character.

    A page with a refusal is drawn for this request and not kept. Any other has one CSRF token: `context` gets that of
    the regions, for the forms around them.
    """
    character, bundle, base = context["character"], context["bundle"], context["base"]
    looked = context.get("looked", "")

    def drawn(tokens: page_cache.FormTokens, looked: str = page_cache.LOOKED_PLACEHOLDER) -> str:
        page = context["opened"].version.page
        shown = {**context, "page": page, "forms": Forms(tokens, base, refusal=refusal), "looked": looked}
        return draw(template_of(bundle, "sheet/regions.jinja"), shown)

    if refusal:
        return drawn(page_cache.form_tokens(request), looked)
    # After a backup is restored, two histories may have the same version number. The moment tells them apart.
    stamp = (character.version, character.changed_at, bundle.revision, beside)
    # One part for each reader: a secret roll shows only to the person who made it, and each role has its own forms.
    name = (character.pk, base, visitor_of(request), context["opened"].role)
    kept = page_cache.part(name, stamp, drawn)
    context["csrf_token"] = get_token(request)
    return page_cache.filled_in(kept, context["csrf_token"], looked)
