"""Characters at a table: brought, taken, and removed."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_POST

from campaigns.models import Seat
from campaigns.verbs import seats
from campaigns.verbs.table_rules import own_rules_kept
from campaigns.views.campaign_pages import campaign_page
from characters.change.refusals import Refused
from characters.pages.responses import SeeOther
from characters.people import Person, visitor_of
from rules.number_text import number_in


@require_POST
def bring(request: HttpRequest, campaign: int) -> HttpResponse:
    character = number_in(request.POST.get("character"))
    if not character:
        return campaign_page(request, campaign, refused="Choose a character.", status=422)
    return _sit(request, campaign, seats.bring, character, "{} sits at this table.")


@require_POST
def take(request: HttpRequest, campaign: int, seat: int) -> HttpResponse:
    return _sit(request, campaign, seats.take, seat, "You play {}.")


@require_POST
def stand_up(request: HttpRequest, campaign: int, seat: int) -> HttpResponse:
    name = seats.stand_up(campaign, visitor_of(request), seat, request.POST.get("proof", ""))
    messages.success(request, f"{name} has left the seat.")
    return SeeOther(reverse("campaigns:campaign", args=[campaign]))


def _sit(
    request: HttpRequest, campaign: int, verb: Callable[[int, Person, int], Seat], what: int, sentence: str
) -> HttpResponse:
    try:
        seat = verb(campaign, visitor_of(request), what)
    except Refused as refused:
        return campaign_page(request, campaign, refused=refused.sentence, status=422)
    messages.success(request, f"{sentence.format(seat.character)} {own_rules_kept(seat)}".strip())
    return SeeOther(reverse("campaigns:campaign", args=[campaign]))
