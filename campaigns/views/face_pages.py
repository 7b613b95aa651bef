"""Chooses the picture of a campaign, and serves it to those who sit there or hold an invite."""

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from campaigns.campaign_access import member_of
from campaigns.models import Campaign
from campaigns.roles import OWN
from campaigns.verbs import campaigns, membership
from characters.change.refusals import Refused
from characters.pages.responses import SeeOther
from characters.pages.sheet.views.portrait import PictureForm, picture_of
from characters.people import visitor_of
from characters.read.faces import EMBLEMS


@require_http_methods(["GET", "HEAD", "POST"])
def face(request: HttpRequest, campaign: int) -> HttpResponse:
    person = visitor_of(request)
    found = member_of(campaign, person, OWN).campaign
    if request.method != "POST":
        return _page(request, found, PictureForm())
    if "face" in request.POST:
        try:
            campaigns.set_face(campaign, person, face=request.POST["face"])
        except Refused as refused:
            return _page(request, found, PictureForm(), refused=refused.sentence, status=422)
    else:
        form = PictureForm(request.POST, request.FILES)
        if not form.is_valid():
            return _page(request, found, form, status=422)
        campaigns.set_picture(campaign, person, picture=form.cleaned_data["picture"])
    messages.success(request, f"{found} has a new picture.")
    return SeeOther(reverse("campaigns:face", args=[campaign]))


def _page(
    request: HttpRequest, found: Campaign, form: forms.Form, *, refused: str = "", status: int = 200
) -> HttpResponse:
    context = {"campaign": found, "emblems": EMBLEMS, "form": form, "refused": refused}
    return render(request, "campaigns/face.html", context, status=status)


@require_safe
def picture(request: HttpRequest, campaign: int, digest: str) -> HttpResponse:
    return picture_of(member_of(campaign, visitor_of(request)).campaign.face, digest)


@require_safe
def picture_by_invite(request: HttpRequest, invitation: str, digest: str) -> HttpResponse:
    """The picture, as long as the invite lets people in."""
    invite = membership.invite_of(invitation)
    if invite.over or invite.campaign.archived_at is not None:
        raise Http404("No such picture.")
    return picture_of(invite.campaign.face, digest)
