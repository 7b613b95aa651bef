"""Notifications: their number in the header of every page, and the page that lists them with links to answer each."""

from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.functional import SimpleLazyObject
from django.views.decorators.http import require_POST, require_safe

from campaigns.campaign_access import member_of
from campaigns.notifications import AtHand, at_hand, notifications_of
from campaigns.verbs import membership, session_dates
from characters.pages.responses import SeeOther
from characters.people import visitor_of
from rules.number_text import number_in


def in_header(request: HttpRequest) -> dict[str, Any]:
    """For the context of every page. The query is made only if the header is drawn, or a sheet names its character's
    table."""
    return {"at_hand": SimpleLazyObject(partial(_at_hand, request))}


def _at_hand(request: HttpRequest) -> AtHand:
    # Without a user: a request for an unknown host, which is refused before the visitor is known.
    return at_hand(visitor_of(request)) if hasattr(request, "user") else AtHand(0, {})


@require_POST
def date_seen(request: HttpRequest, campaign: int, date: int) -> HttpResponse:
    moved = number_in(request.POST.get("moved"))
    member_of(campaign, visitor_of(request))
    if moved is None:
        return _page(request, refused="Nothing was marked as seen. Press Seen again.", status=422)
    session_dates.note_seen(campaign, visitor_of(request), date, moved)
    return SeeOther(reverse("campaigns:notifications"))


@require_POST
def news_seen(request: HttpRequest, campaign: int) -> HttpResponse:
    membership.news_seen(campaign, visitor_of(request))
    return SeeOther(reverse("campaigns:notifications"))


def _page(request: HttpRequest, *, refused: str = "", status: int = 200) -> HttpResponse:
    person = visitor_of(request)
    context = {"waiting": notifications_of(person) if person.identified else (), "refused": refused}
    return render(request, "campaigns/notifications.html", context, status=status)


show = require_safe(_page)
