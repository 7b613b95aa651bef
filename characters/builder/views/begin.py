"""The four beginnings of a character: blank, by surprise, a copy of a sample; and the doors to the page after."""

from django.contrib import messages
from django.urls import reverse
from django.views.decorators.http import require_POST

from characters import verbs
from characters.builder.answer import SeeOther
from characters.journal import Refused, TooMany
from characters.people import person_of

from .shelf import shelf_page


@require_POST
def start(request):
    return _begin(request, verbs.start, "origin")


@require_POST
def surprise(request):
    return _begin(request, verbs.surprise, "review")


@require_POST
def copy_sample(request, slug):
    return _begin(request, verbs.copy_sample, "review", sample=slug)


def _begin(request, verb, step, **what):
    """Make the character, for a visitor without an account too, and open it in the builder."""
    try:
        change = verb(person_of(request, remember=True), request.POST.get("key", ""), **what)
    except TooMany as refused:
        messages.error(request, refused.sentence)
        return shelf_page(request, status=429)
    except Refused as refused:
        messages.error(request, refused.sentence)
        return SeeOther(reverse("characters:list"))
    return SeeOther(reverse("characters:build", args=[change.character_id, step]))
