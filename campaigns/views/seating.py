"""Characters at a table: brought, taken, and removed."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from campaigns.models import Seat
from campaigns.verbs import seats
from campaigns.verbs.table_rules import own_rules_kept
from campaigns.views.campaign_pages import changes_table
from characters.change.refusals import Refused
from characters.pages.responses import SeeOther
from characters.people import visitor_of
from rules.number_text import number_in


@changes_table
def bring(request: HttpRequest, campaign: int) -> HttpResponse:
    character = number_in(request.POST.get("character"))
    if not character:
        raise Refused("Choose a character.")
    seat = seats.bring(campaign, visitor_of(request), character)
    return _seated(request, seat, f"{seat.character} sits at this table.")


@changes_table
def take(request: HttpRequest, campaign: int, seat: int) -> HttpResponse:
    found = seats.take(campaign, visitor_of(request), seat)
    return _seated(request, found, f"You play {found.character}.")


@changes_table
def stand_up(request: HttpRequest, campaign: int, seat: int) -> HttpResponse:
    messages.success(request, seats.stand_up(campaign, visitor_of(request), seat, request.POST.get("proof", "")))
    return SeeOther(reverse("campaigns:campaign", args=[campaign]))


def _seated(request: HttpRequest, seat: Seat, sentence: str) -> HttpResponse:
    messages.success(request, f"{sentence} {own_rules_kept(seat)}".strip())
    return SeeOther(reverse("campaigns:campaign", args=[seat.campaign_id]))
