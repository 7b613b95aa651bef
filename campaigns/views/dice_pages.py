"""Dice for ability ranks at a table: rolled, rolled again if the storyteller says so, and given to a character."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from campaigns.verbs import rolled_sets
from campaigns.views.campaign_pages import changes_table
from characters.pages.responses import SeeOther
from characters.people import visitor_of


@changes_table
def roll(request: HttpRequest, campaign: int) -> HttpResponse:
    dice = rolled_sets.roll(campaign, visitor_of(request))
    messages.success(request, f"Rolled: {dice.results}.")
    return SeeOther(reverse("campaigns:campaign", args=[campaign]) + "#begin")


@changes_table
def roll_again(request: HttpRequest, campaign: int, dice: int) -> HttpResponse:
    made = rolled_sets.roll_again(campaign, visitor_of(request), dice)
    messages.success(request, f"Rolled again for {made.whose}: {made.results}.")
    return SeeOther(reverse("campaigns:terms", args=[campaign]) + "#dice")


@changes_table
def give(request: HttpRequest, campaign: int, seat: int) -> HttpResponse:
    change = rolled_sets.give(campaign, visitor_of(request), request.POST.get("key", ""), seat)
    messages.success(request, change.sentence)
    return SeeOther(reverse("characters:build", args=[change.character_id, "abilities"]))
