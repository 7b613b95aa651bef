"""The part of a sheet that follows its table, with the button that ends the player's own turn."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from campaigns.notifications import OwnSeat, at_hand
from campaigns.own_table import own_table
from campaigns.verbs import turn_order
from campaigns.views.encounter_pages import encounter_page, saw_of
from characters.change.refusals import Refused
from characters.pages.responses import SeeOther
from characters.people import visitor_of


@require_http_methods(["GET", "HEAD", "POST"])
def of_character(request: HttpRequest, pk: int) -> HttpResponse:
    """The part of the sheet; POST ends the turn. A plain form leads back to the sheet, or to the encounter if it is
    refused."""
    seat, refused = _seat(request, pk), ""
    if request.method == "POST":
        try:
            turn_order.next_turn(seat.campaign, visitor_of(request), request.POST.get("key", ""), saw=saw_of(request))
        except Refused as no:
            refused = no.sentence
        if not request.htmx:
            sheet = SeeOther(reverse("characters:sheet", args=[pk]))
            return encounter_page(request, seat.campaign, refused=refused, status=422) if refused else sheet
    context = own_table(_seat(request, pk)) | {"refused": refused}
    return render(request, "campaigns/_own_table.html", context, status=422 if refused else 200)


def _seat(request: HttpRequest, pk: int) -> OwnSeat:
    seat = at_hand(visitor_of(request)).seats.get(pk)
    if seat is None:
        raise Http404("No such character of yours.")
    return seat
