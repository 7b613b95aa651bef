"""Dice for ability ranks at a table: rolled, rolled again if the storyteller says so, and given to a character."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_POST

from campaigns.verbs import rolled_sets
from campaigns.views.campaign_pages import campaign_page
from characters.change.refusals import Refused
from characters.pages.responses import SeeOther
from characters.people import visitor_of


@require_POST
def roll(request: HttpRequest, campaign: int) -> HttpResponse:
    try:
        dice = rolled_sets.roll(campaign, visitor_of(request))
    except Refused as refused:
        return campaign_page(request, campaign, refused=refused.sentence, status=422)
    messages.success(request, f"Rolled: {dice.results}.")
    return SeeOther(reverse("campaigns:campaign", args=[campaign]) + "#begin")


@require_POST
def roll_again(request: HttpRequest, campaign: int, dice: int) -> HttpResponse:
    try:
        made = rolled_sets.roll_again(campaign, visitor_of(request), dice)
    except Refused as refused:
        return campaign_page(request, campaign, refused=refused.sentence, status=422)
    messages.success(request, f"Rolled again for {made.whose}: {made.results}.")
    return SeeOther(reverse("campaigns:terms", args=[campaign]) + "#dice")


@require_POST
def give(request: HttpRequest, campaign: int, seat: int) -> HttpResponse:
    try:
        change = rolled_sets.give(campaign, visitor_of(request), request.POST.get("key", ""), seat)
    except Refused as refused:
        return campaign_page(request, campaign, refused=refused.sentence, status=422)
    messages.success(request, change.sentence)
    return SeeOther(reverse("characters:build", args=[change.character_id, "abilities"]))
