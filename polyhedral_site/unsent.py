"""A form that could not be taken, shown again with what was typed, so that nobody loses what they wrote.

It happens when a session has ended, when the form is older than a sign-in, when what it is for is gone, and when the
site itself fails. Nothing of it is stored: the page carries it all, the form's key too, so that it is done only once.
"""

import re
from functools import cache
from urllib.parse import urlsplit

from django.middleware.csrf import get_token
from django.shortcuts import render

# Fields that people type in and that no action at the table has: the name, up to a dot or colon.
BESIDE_ACTIONS = {
    "ability_cap", "base_defense", "date", "description", "die", "does", "guard", "hands", "many", "max_rank",
    "more_xp", "most", "place", "rank", "rolls", "summary", "total", "vital", "w", "word",
}  # fmt: skip
SHORT = 60


def is_form(request):
    """True for one of the site's own forms that change something: each carries a key."""
    return request.method == "POST" and "key" in request.POST


def is_from_here(request):
    """True if a page of this site sent it, whatever its token says; browsers tell."""
    return request.headers.get("Origin") == f"{request.scheme}://{request.get_host()}"


def shown_again(request, status):
    try:
        path = urlsplit(request.headers.get("Referer", "")).path
    except ValueError:
        path = ""
    back = f"/{path.lstrip('/')}"
    return render(request, "unsent.html", {"status": status, "back": back, **unsent(request)}, status=status)


def unsent(request):
    """The form as `partials/unsent.html` draws it, empty for any other request. Asks no database."""
    if not is_form(request):
        return {}
    sent = [(name, value) for name, values in request.POST.lists() for value in values if name != "csrfmiddlewaretoken"]
    typed = [(name, value) for name, value in sent if re.split("[.:]", name)[0] in typed_names() and value.strip()]
    return {
        "unsent": request.get_full_path(),
        "csrf_token": get_token(request),
        "typed": [(name, label_of(name), value, len(value) > SHORT or "\n" in value) for name, value in typed],
        "carried": [pair for pair in sent if pair not in typed],
    }


@cache
def typed_names():
    """Fields that people type in, on any page. All others are carried along unseen."""
    return BESIDE_ACTIONS | typed_in_actions()


def typed_in_actions():
    # Not at the top: logging imports this module before there are models.
    from characters.actions.registry import actions_of
    from rules.games import GAMES
    from rules.games.table_action import Amount, Number, Numbers, Text

    fields = [one for game in GAMES for action in actions_of(game).values() for one in action.fields.items()]
    return {name for name, field in fields if isinstance(field, Amount | Number | Numbers | Text)}


def label_of(name):
    return re.sub(r"[\W_]+", " ", name.removeprefix("w:")).strip().capitalize()
