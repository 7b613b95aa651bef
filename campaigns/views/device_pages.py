"""A guest's seat for another device: the page that makes the link, and the page that it opens."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from campaigns.campaign_access import member_of
from campaigns.models import DeviceLink, Member
from campaigns.verbs import other_device
from campaigns.views.members import made_link
from characters.change.refusals import Refused
from characters.pages.responses import SeeOther, unlisted
from characters.people import visitor_of


@require_http_methods(["GET", "HEAD", "POST"])
def hand_on(request: HttpRequest, campaign: int, member: int) -> HttpResponse:
    person = visitor_of(request)
    asking = member_of(campaign, person)
    guest = other_device.guest_at(asking, member)
    if request.method != "POST":
        return _hand_on_page(request, asking, guest)
    try:
        token = other_device.make_device_link(campaign, person, member, request.POST.get("key", ""))
    except Refused as refused:
        return _hand_on_page(request, asking, guest, refused=refused.sentence, status=422)
    return _hand_on_page(request, asking, guest, **made_link(request, "take-over", token))


def _hand_on_page(
    request: HttpRequest, asking: Member, guest: Member, *, refused: str = "", status: int = 200, **made: Any
) -> HttpResponse:
    context = {
        "campaign": asking.campaign,
        "guest": guest,
        "own": guest == asking,
        "works": other_device.working_link(guest),
        "refused": refused,
        **made,
    }
    return render(request, "campaigns/device.html", context, status=status)


@require_POST
def revoke(request: HttpRequest, campaign: int, member: int) -> HttpResponse:
    other_device.revoke_device_link(campaign, visitor_of(request), member)
    messages.success(request, "The link was deleted.")
    return SeeOther(reverse("campaigns:device", args=[campaign, member]))


@unlisted
@require_http_methods(["GET", "HEAD", "POST"])
def take_over(request: HttpRequest, handing: str) -> HttpResponse:
    link = other_device.device_link_of(handing)
    if request.method != "POST":
        return _take_over_page(request, handing, link)
    try:
        member = other_device.take_over(handing, visitor_of(request, remember=True))
    except other_device.LinkOver:
        return _take_over_page(request, handing, other_device.device_link_of(handing))
    except Refused as refused:
        return _take_over_page(request, handing, link, refused=refused.sentence, status=422)
    messages.success(request, f"You sit here as {member} now. The other device has left the table.")
    return SeeOther(member.campaign.get_absolute_url())


def _take_over_page(
    request: HttpRequest, handing: str, link: DeviceLink, *, refused: str = "", status: int = 200
) -> HttpResponse:
    context = {"handing": handing, "link": link, "campaign": link.member.campaign, "refused": refused}
    return render(request, "campaigns/take_over.html", context, status=410 if link.over else status)
