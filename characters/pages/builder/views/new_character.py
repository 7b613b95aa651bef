"""Beginning a character: blank, by surprise, as a copy of a sample; and the page that opens after."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_POST

from characters import verbs
from characters.change.refusals import Refused, TooMany
from characters.models import Change
from characters.pages.responses import SeeOther
from characters.people import visitor_of
from rules.models import Ruleset
from rules.number_text import number_in

from .shelf import shelf_page

SURPRISE = "?surprise"  # asks the sheet to offer another


class GameForm(forms.Form):
    """The ruleset of the new character; without one, the first that was loaded."""

    ruleset = forms.ModelChoiceField(Ruleset.objects.playable(), to_field_name="slug", required=False)

    def chosen(self) -> Ruleset | None:
        if not self.is_valid():
            raise Refused("Choose a game that is here.", "ruleset")
        return self.cleaned_data["ruleset"]


@require_POST
def start(request: HttpRequest) -> HttpResponse:
    return _begin(request, _of_chosen_game(request, verbs.start), _step("origin"))


@require_POST
def surprise(request: HttpRequest) -> HttpResponse:
    """Make a random character and open its sheet, which offers to keep it or to see another. `instead` is the one that
    it replaces, which goes into the bin, unless it has been changed since."""
    made, instead = _begun(request, _of_chosen_game(request, verbs.surprise)), number_in(request.POST.get("instead"))
    if isinstance(made, HttpResponse):
        return made
    if instead is not None:
        with suppress(Http404, Refused):  # it is somebody else's, or it was changed since
            key = f"{request.POST['key'][:50]}-instead"
            verbs.throw_away(instead, visitor_of(request), key, if_new=True)
    return SeeOther(reverse("characters:sheet", args=[made.character_id]) + SURPRISE)


@require_POST
def copy_sample(request: HttpRequest, slug: str) -> HttpResponse:
    return _begin(request, verbs.copy_sample, _step("review"), sample=slug)


@require_POST
def copy_shared(request: HttpRequest, token: str) -> HttpResponse:
    return _begin(request, verbs.copy_shared, _step("review"), token=token)


def _of_chosen_game(request: HttpRequest, verb: Callable[..., Change]) -> Callable[..., Change]:
    return lambda person, key: verb(person, key, ruleset=GameForm(request.POST).chosen())


def _step(slug: str) -> Callable[[int], str]:
    return lambda pk: reverse("characters:build", args=[pk, slug])


def _begin(
    request: HttpRequest, verb: Callable[..., Change], address: Callable[[int], str], **what: Any
) -> HttpResponse:
    """Make the character, and open the page at `address(pk)`."""
    made = _begun(request, verb, **what)
    return made if isinstance(made, HttpResponse) else SeeOther(address(made.character_id))


def _begun(request: HttpRequest, verb: Callable[..., Change], **what: Any) -> Change | HttpResponse:
    """Begin a character, also for a visitor without an account; or return the response that says why not."""
    try:
        return verb(visitor_of(request, remember=True), request.POST.get("key", ""), **what)
    except Refused as refused:
        messages.error(request, refused.sentence)
        return shelf_page(request, status=429 if isinstance(refused, TooMany) else 422)
