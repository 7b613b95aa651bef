"""Beginning a character: blank, by surprise, as a copy of a sample; and the page that opens after."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_POST

from characters import verbs
from characters.access import lockable_by
from characters.change.journal import Refused, TooMany
from characters.models import Change, Character
from characters.pages.builder.step_answer import SeeOther
from characters.people import visitor_of

from .shelf import shelf_page

SURPRISE = "?surprise"  # asks the sheet to offer another


class AnotherForm(forms.Form):
    """The character that was seen before, where another is wanted instead."""

    instead = forms.IntegerField(min_value=1, max_value=2**63 - 1)


@require_POST
def start(request: HttpRequest) -> HttpResponse:
    return _begin(request, verbs.start, _step("origin"))


@require_POST
def surprise(request: HttpRequest) -> HttpResponse:
    """A character by chance, on its sheet, which offers to keep it or to see another. The one that was seen before goes
    into the bin, unless something has become of it since."""
    response, form = _begin(request, verbs.surprise, _surprise), AnotherForm(request.POST)
    made = response.headers.get("Location", "").endswith(SURPRISE)
    if made and form.is_valid():
        person, seen = visitor_of(request), form.cleaned_data["instead"]
        if Character.objects.filter(lockable_by(person), pk=seen, version=1).exists():
            verbs.throw_away(seen, person, f"{request.POST['key'][:50]}-instead")
    return response


@require_POST
def copy_sample(request: HttpRequest, slug: str) -> HttpResponse:
    return _begin(request, verbs.copy_sample, _step("review"), sample=slug)


@require_POST
def copy_shared(request: HttpRequest, token: str) -> HttpResponse:
    return _begin(request, verbs.copy_shared, _step("review"), token=token)


def _step(slug: str) -> Callable[[int], str]:
    return lambda pk: reverse("characters:build", args=[pk, slug])


def _surprise(pk: int) -> str:
    return reverse("characters:sheet", args=[pk]) + SURPRISE


def _begin(
    request: HttpRequest, verb: Callable[..., Change], address: Callable[[int], str], **what: Any
) -> HttpResponse:
    """Make the character, for a visitor without an account too, and open the page at `address(pk)`."""
    try:
        change = verb(visitor_of(request, remember=True), request.POST.get("key", ""), **what)
    except TooMany as refused:
        messages.error(request, refused.sentence)
        return shelf_page(request, status=429)
    except Refused as refused:
        messages.error(request, refused.sentence)
        return SeeOther(reverse("characters:list"))
    return SeeOther(address(change.character_id))
