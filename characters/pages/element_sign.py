"""The small drawing of an element, or its first letter. It stands beside the name and only repeats it, so it is hidden
from screen readers."""

from functools import cache

from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

from rules.engine.bundle import Bundle
from rules.engine.content import Element


def sign(bundle: Bundle, element: Element) -> SafeString:
    """The element's sign, or a medallion with its first letter where the game has drawn none."""
    return drawn(bundle, element) or format_html('<span class="sign" aria-hidden="true">{}</span>', element.name[:1])


def drawn(bundle: Bundle, element: Element) -> SafeString:
    """The element's sign; "" where the game has drawn none."""
    name = bundle.game.signs.get(element.ref)
    return _of(bundle.game.name, name) if name else SafeString("")


@cache  # a sheet has dozens, and the file's address does not change while the site runs
def _of(game: str, name: str) -> SafeString:
    sprite = static(f"games/{game}/signs.svg")
    return format_html(
        '<svg class="sign" viewBox="0 0 24 24" aria-hidden="true"><use href="{}#{}"/></svg>', sprite, name
    )
