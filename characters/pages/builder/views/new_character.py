"""Beginning a character: blank, by surprise, as a copy of a sample; and the page that opens after."""

from collections.abc import Callable
from contextlib import suppress

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_POST

from characters import verbs
from characters.change.refusals import Refused
from characters.models import Change
from characters.pages.responses import SeeOther
from characters.people import Person, visitor_of
from rules.models import Ruleset
from rules.number_text import number_in

from .shelf import shelf_page

SURPRISE = "?surprise"  # asks the sheet to offer another


class GameForm(forms.Form):
    """The ruleset of the new character; without one, the first that was loaded."""

    ruleset = forms.ModelChoiceField(Ruleset.objects.playable(), to_field_name="slug", required=False)


def _chosen_ruleset(request: HttpRequest) -> Ruleset | None:
    form = GameForm(request.POST)
    if not form.is_valid():
        raise Refused("Choose a game that is here.", "ruleset")
    return form.cleaned_data["ruleset"]


@require_POST
def start(request: HttpRequest) -> HttpResponse:
    return _begin(
        request, lambda person, key: verbs.start(person, key, ruleset=_chosen_ruleset(request)), _step("origin")
    )


@require_POST
def surprise(request: HttpRequest) -> HttpResponse:
    """Make a random character and open its sheet, which offers to keep it or to see another. `instead` is the one that
    it replaces, which goes into the bin, unless it has been changed since."""

    def act(person: Person, key: str) -> Change:
        made = verbs.surprise(person, key, ruleset=_chosen_ruleset(request))
        instead = number_in(request.POST.get("instead"))
        if instead is not None:
            with suppress(Http404, Refused):  # it is someone else's, or it was changed since
                verbs.throw_away(instead, person, f"{key[:50]}-instead", if_new=True)
        return made

    return _begin(request, act, lambda pk: reverse("characters:sheet", args=[pk]) + SURPRISE)


@require_POST
def copy_sample(request: HttpRequest, slug: str) -> HttpResponse:
    return _begin(request, lambda person, key: verbs.copy_sample(person, key, sample=slug), _step("review"))


@require_POST
def copy_shared(request: HttpRequest, token: str) -> HttpResponse:
    return _begin(request, lambda person, key: verbs.copy_shared(person, key, token=token), _step("review"))


def _step(slug: str) -> Callable[[int], str]:
    return lambda pk: reverse("characters:build", args=[pk, slug])


def _begin(request: HttpRequest, act: Callable[[Person, str], Change], address: Callable[[int], str]) -> HttpResponse:
    """Run a verb that begins a character, also for a visitor without an account, and open the page at `address(pk)`;
    a refusal is shown on the list."""
    try:
        made = act(visitor_of(request, remember=True), request.POST.get("key", ""))
    except Refused as refused:
        messages.error(request, refused.sentence)
        return shelf_page(request, status=refused.status)
    return SeeOther(address(made.character_id))
