"""A form that could not be taken, shown again with what was typed, so that nobody loses what they wrote.

It happens when a session has ended, when the form is older than a sign-in, when what it is for is gone, and when the
site itself fails. Nothing of it is stored: the page carries it all, the form's key too, so that it is done only once.
"""

import re
from urllib.parse import urlsplit

from django.middleware.csrf import get_token
from django.shortcuts import render

# Fields that people type in, on any page: the name, up to a dot or colon. All others are carried along unseen.
TYPED = {
    "activity", "also", "amount", "bonus", "by", "custom", "damage", "days", "description", "detail", "dice", "faces",
    "feet", "guard", "many", "name", "notes",
    "opponent", "other", "outcome", "points", "quantity", "range", "rank", "ranks", "reason", "resolve", "rolls",
    "rounds", "source", "stealth", "strenuous_minutes", "target", "text", "time", "total", "vital", "w", "whose",
    "word", "words",
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
    typed = [(name, value) for name, value in sent if re.split("[.:]", name)[0] in TYPED and value.strip()]
    return {
        "unsent": request.get_full_path(),
        "csrf_token": get_token(request),
        "typed": [(name, label_of(name), value, len(value) > SHORT or "\n" in value) for name, value in typed],
        "carried": [pair for pair in sent if pair not in typed],
    }


def label_of(name):
    return re.sub(r"[\W_]+", " ", name.removeprefix("w:")).strip().capitalize()
