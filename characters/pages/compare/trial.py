"""Other rules tried on a character: one form, previewed as often as the player likes, then saved."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django_htmx.http import trigger_client_event

from characters.change.refusals import Refused, StalePage
from characters.models import Change
from characters.pages.game_templates import template_of
from characters.pages.responses import SeeOther, add_refusal
from characters.read.open import OpenCharacter

from .comparison_text import ComparisonSection


@dataclass(frozen=True)
class RulesTrial:
    """The values that differ from those in force, and the moves they bring. `saw` goes to the verb that saves them."""

    rules: tuple[tuple[str, str, str], ...]  # name, value now, value then
    sections: tuple[ComparisonSection, ...]
    saw: str


class TrialPage(ABC):
    """The page of one character with a form of its rules. `data` None shows those in force."""

    name: str  # of its address and of its template

    def __init__(self, opened: OpenCharacter, data: QueryDict | None = None) -> None:
        self.opened = opened
        self.form = self.form_of(data)

    @abstractmethod
    def form_of(self, data: QueryDict | None) -> forms.Form: ...

    @abstractmethod
    def trial(self) -> RulesTrial:
        """The changes that the form's values would bring, found by deriving the character with them. Nothing is
        written."""

    @abstractmethod
    def keep(self, key: str, saw: str) -> Change:
        """Store the form's values, by the verb for them."""

    @abstractmethod
    def more(self) -> dict[str, Any]:
        """The context of this page alone."""

    @classmethod
    def show(cls, request: HttpRequest, pk: int) -> HttpResponse:
        """The view of the page."""
        return cls(OpenCharacter.playable(request, pk)).draw(request)

    @classmethod
    def change(cls, request: HttpRequest, pk: int) -> HttpResponse:
        """The view that its form is sent to."""
        return cls(OpenCharacter.playable(request, pk), request.POST).answer(request)

    @property
    def url(self) -> str:
        return reverse(f"characters:{self.name}", args=[self.opened.character.pk])

    def draw(
        self, request: HttpRequest, tried: RulesTrial | None = None, refusal: str = "", status: int = 200
    ) -> HttpResponse:
        """The page with the form and the trial; its changing region alone for htmx."""
        context = {
            **self.opened.context,
            "form": self.form,
            "trial": tried,
            "refusal": refusal,
            "back": self.url,
            **self.more(),
        }
        template = f"compare/{'_' * bool(request.htmx)}{self.name.replace('-', '_')}.html"
        response = render(request, template_of(self.opened.bundle, template), context, status=status)
        response.headers["Vary"] = "HX-Request"
        return response

    def answer(self, request: HttpRequest) -> HttpResponse:
        """Show what the form would change, or with `save` store it."""
        if not self.form.is_valid():
            return self.draw(request, status=422)
        if "save" not in request.POST:
            return self.draw(request, self.trial())
        try:
            saved = self.keep(request.POST.get("key", ""), request.POST.get("saw", ""))
        except StalePage as stale:
            return self.draw(request, self.trial(), stale.sentence, status=stale.status)
        except Refused as refused:
            add_refusal(self.form, refused)
            return self.draw(request, status=422)
        if not request.htmx:
            messages.success(request, saved.sentence)
            return SeeOther(self.url)
        after = type(self)(self.opened.again())
        return trigger_client_event(after.draw(request), "say", {"value": saved.sentence})
