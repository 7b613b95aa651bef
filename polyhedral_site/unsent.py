"""Shows a form again if it could not be accepted, with everything that was typed, so that nobody loses what they wrote.

That happens when a session has ended, when the form is older than a sign-in, when its thing is gone, and when the site
itself fails. Nothing is stored: the page has it all, including the form's key, so that it is done only once.
"""

import re
from functools import cache
from typing import Any
from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import render

# The names, up to a dot or colon, of fields to type in that no action at the table has.
BESIDE_ACTIONS = {
    "ability_cap", "base_defense", "date", "description", "die", "does", "guard", "hands", "many", "max_rank",
    "more_xp", "most", "place", "rank", "rolls", "summary", "total", "vital", "w", "word",
}  # fmt: skip
SHORT = 60


def is_form(request: HttpRequest) -> bool:
    """True for a form of this site that changes something. Each has a key."""
    return request.method == "POST" and "key" in request.POST


def is_from_here(request: HttpRequest) -> bool:
    """True if a page of this site sent it, even if its token is wrong. Browsers name the origin."""
    return request.headers.get("Origin") == f"{request.scheme}://{request.get_host()}"


def shown_again(request: HttpRequest, status: int) -> HttpResponse:
    try:
        path = urlsplit(request.headers.get("Referer", "")).path
    except ValueError:
        path = ""
    back = f"/{path.lstrip('/')}"
    return render(request, "unsent.html", {"status": status, "back": back, **unsent(request)}, status=status)


def unsent(request: HttpRequest) -> dict[str, Any]:
    """The form, for `partials/unsent.html`; empty for any other request. Makes no query.

    Fields that people do not type in are passed on as hidden fields.
    """
    if not is_form(request):
        return {}
    sent = [(name, value) for name, values in request.POST.lists() for value in values if name != "csrfmiddlewaretoken"]
    names = BESIDE_ACTIONS | typed_in_actions()
    typed = [(name, value) for name, value in sent if re.split("[.:]", name)[0] in names and value.strip()]
    return {
        "unsent": request.get_full_path(),
        "csrf_token": get_token(request),
        "typed": [(name, label_of(name), value, len(value) > SHORT or "\n" in value) for name, value in typed],
        "carried": [pair for pair in sent if pair not in typed],
    }


@cache
def typed_in_actions() -> set[str]:
    """The names of fields of actions that people type in."""
    # Imported here: logging imports this module before models are loaded.
    from characters.actions.registry import actions_of
    from rules.games import GAMES
    from rules.games.table_action import Adjustment, Number, Numbers, Text

    fields = [one for game in GAMES for action in actions_of(game).values() for one in action.fields.items()]
    return {name for name, field in fields if isinstance(field, Adjustment | Number | Numbers | Text)}


def label_of(name: str) -> str:
    return re.sub(r"[\W_]+", " ", name.removeprefix("w:")).strip().capitalize()
