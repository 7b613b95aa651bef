"""Relationships between the characters at a table: proposed, answered and withdrawn."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from campaigns.campaign_access import member_of
from campaigns.following import followed
from campaigns.models import Pairing
from campaigns.names_apart import names_at
from campaigns.roles import RUN
from campaigns.shown_pairings import pairings_of
from campaigns.verbs import agreements, pairings
from campaigns.verbs.pairings import BY_HAND, LOOK_AGAIN, RANDOM, RING, Pair
from campaigns.views.refusal_pages import refused_on
from characters.change.refusals import Refused, RefusedForSome
from characters.models import Aspect, Character
from characters.pages.responses import SeeOther, add_refusal
from characters.pages.text_fields import LineField
from characters.people import visitor_of
from rules.games.outcome import listed

NOT_HERE = "Choose someone at this table."
PAIR = r"\d{1,18}-\d{1,18}"


class WordsForm(forms.Form):
    """The words of a relationship, to which both players agree."""

    based_on = forms.ChoiceField(
        label="Built on",
        choices=[("", "Choose one"), *Aspect.KINDS],
        error_messages={"required": "Choose a trait, an ideal, a bond or a flaw."},
    )
    text = LineField(
        max_length=300,
        label="In a sentence or two",
        error_messages={"required": "Write the relationship."},
        widget=forms.Textarea(attrs={"rows": 3}),
    )

    def __init__(self, *args: Any, needed: bool = True, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("based_on", "text"):
            self.fields[name].required = needed


class PairsForm(WordsForm):
    """The pairs, and words for them to begin with."""

    field_order = ("way", "first", "second", "based_on", "text")
    way = forms.ChoiceField(
        label="Pairs",
        choices=[
            (RING, "In a ring: each with both neighbors"),
            (RANDOM, "At random"),
            (BY_HAND, "Two that you choose"),
        ],
        initial=RING,
        widget=forms.RadioSelect,
        error_messages={"required": "Choose how."},
    )
    first = forms.TypedChoiceField(
        label="If you choose: the first", coerce=int, required=False, error_messages={"invalid_choice": NOT_HERE}
    )
    second = forms.TypedChoiceField(
        label="If you choose: the second", coerce=int, required=False, error_messages={"invalid_choice": NOT_HERE}
    )

    def __init__(self, people: Sequence[Character], names: Mapping[int, str], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, needed=False, **kwargs)
        for name in ("first", "second"):
            self.fields[name].choices = [("", "Nobody yet"), *((one.pk, names[one.pk]) for one in people)]
        self.fields["based_on"].choices = [("", "The players choose"), *Aspect.KINDS]
        self.fields["text"].help_text = "Leave it empty for the players to write. They may change what you write."

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if given.get("way") == BY_HAND:
            for name in ("first", "second"):
                if name in given and not given[name]:
                    self.add_error(name, "Choose a character.")
        return given


@require_http_methods(["GET", "HEAD", "POST"])
def show(request: HttpRequest, campaign: int) -> HttpResponse:
    if request.method != "POST":
        return _page(request, campaign)
    person = visitor_of(request)
    member = member_of(campaign, person, RUN)
    form = PairsForm(pairings.to_pair(member.campaign), names_at(member.campaign), request.POST)
    if form.is_valid():
        given = form.cleaned_data
        by_hand = given["way"] == BY_HAND
        chosen = (given["first"], given["second"]) if by_hand else ()
        words = {"based_on": given["based_on"], "text": given["text"]}
        try:
            if "look" in request.POST:
                looked = pairings.draw(campaign, person, given["way"], chosen=chosen)
                return _page(request, campaign, form=form, looked=looked)
            drawn, key = _drawn(request.POST.get("drawn", "")), request.POST.get("key", "")
            made, left = pairings.propose(campaign, person, key, given["way"], chosen=chosen, drawn=drawn, **words)
        except Refused as refused:
            add_refusal(form, refused)
        else:
            messages.success(request, _told(made, left))
            return SeeOther(reverse("campaigns:relationships", args=[campaign]))
    return _page(request, campaign, form=form, status=422)


def _drawn(text: str) -> list[tuple[int, int]]:
    """The pairs that the form says it has shown: `4-5 6-7`. Refused for anything else."""
    if not re.fullmatch(rf"({PAIR}( {PAIR})*)?", text, re.ASCII):
        raise Refused(LOOK_AGAIN, "way")
    return [(int(first), int(second)) for first, _, second in (pair.partition("-") for pair in text.split())]


def _told(made: Sequence[Pairing], left: Sequence[Character]) -> str:
    pairs = f"Proposed: {'; '.join(map(str, made))}."
    return f"{pairs} Left out: {listed(map(str, left))}." if left else pairs


@require_POST
def agree(request: HttpRequest, campaign: int, pairing: int, character: int) -> HttpResponse:
    form = WordsForm(request.POST, auto_id=_ids(pairing, character))
    person, refused, status = visitor_of(request), "", 422
    member_of(campaign, person)
    if form.is_valid():
        try:
            saw = request.POST.get("saw")
            both = pairings.agree(campaign, person, pairing, character, **form.cleaned_data, saw=saw)
        except RefusedForSome as no:
            refused = f"It cannot be put on both sheets: {no.sentence}"
        except Refused as no:
            refused, status = no.sentence, no.status
        else:
            messages.success(request, "It is on both sheets." if both else "Agreed. Now the other player must agree.")
            return SeeOther(reverse("campaigns:relationships", args=[campaign]))
    return _page(request, campaign, answered={(pairing, character): form}, refused=refused, status=status)


def _refused(request: HttpRequest, campaign: int, refused: Refused) -> HttpResponse:
    return _page(request, campaign, refused=refused.sentence, status=refused.status)


@refused_on(_refused)
def decline(request: HttpRequest, campaign: int, pairing: int, character: int) -> HttpResponse:
    agreements.decline(Pairing, campaign, visitor_of(request), pairing, character)
    return SeeOther(reverse("campaigns:relationships", args=[campaign]))


@refused_on(_refused)
def withdraw(request: HttpRequest, campaign: int, pairing: int) -> HttpResponse:
    agreements.withdraw(Pairing, campaign, visitor_of(request), pairing)
    return SeeOther(reverse("campaigns:relationships", args=[campaign]))


def _ids(pairing: int, character: int) -> str:
    return f"id_{pairing}_{character}_%s"


def _page(
    request: HttpRequest,
    campaign: int,
    *,
    form: PairsForm | None = None,
    answered: dict[tuple[int, int], WordsForm] | None = None,
    looked: tuple[Sequence[Pair], Sequence[Character]] | None = None,
    refused: str = "",
    status: int = 200,
) -> HttpResponse:
    member = member_of(campaign, visitor_of(request))
    if member.campaign.game.ring is None:
        raise Http404("This game has no relationships.")
    runs, answered = member.may(RUN), answered or {}
    people = pairings.to_pair(member.campaign) if runs else []
    names = names_at(member.campaign) if runs else {}

    def words(pairing: Pairing, character: Character) -> WordsForm:
        known = {"based_on": pairing.based_on, "text": pairing.text}
        found = answered.get((pairing.pk, character.pk))
        return found or WordsForm(initial=known, auto_id=_ids(pairing.pk, character.pk))

    shown = pairings_of(member)
    pairs, left = looked or ((), ())
    context = {
        "campaign": member.campaign,
        "runs": runs,
        "people": people,
        "shown": [(one, [(side, words(one.asked, side.character)) for side in one.mine]) for one in shown],
        "looked": [(names[first.pk], names[second.pk]) for first, second in pairs],
        "drawn": " ".join(f"{first.pk}-{second.pk}" for first, second in pairs),
        "left": [names[one.pk] for one in left],
        **followed(member.campaign, {side.character for one in shown for side in one.sides}),
        "form": form or PairsForm(people, names),
        "refused": refused,
    }
    template = "campaigns/relationships.html#pairs" if request.htmx else "campaigns/relationships.html"
    return render(request, template, context, status=status)
