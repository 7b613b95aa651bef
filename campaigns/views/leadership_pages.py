"""The page that hands a table to a new storyteller, or lets a member take it over."""

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from campaigns.campaign_access import member_of
from campaigns.models import Member
from campaigns.roles import OWN
from campaigns.verbs import leadership
from campaigns.views.campaign_pages import changes_table
from characters.change.refusals import Refused
from characters.pages.responses import SeeOther, add_refusal
from characters.people import visitor_of


class HeirForm(forms.Form):
    """The member who is to lead the table: someone with an account."""

    member = forms.ModelChoiceField(
        Member.objects.none(),
        label="New storyteller",
        empty_label="Choose someone",
        error_messages={"required": "Choose someone.", "invalid_choice": "Choose someone at this table."},
    )

    def __init__(self, leader: Member, *args: object) -> None:
        super().__init__(*args)
        people = leader.campaign.members.filter(gone_at=None).exclude(user=None).exclude(pk=leader.pk)
        self.fields["member"].queryset = people


@require_http_methods(["GET", "HEAD", "POST"])
def hand_over(request: HttpRequest, campaign: int) -> HttpResponse:
    person = visitor_of(request)
    leader = member_of(campaign, person, OWN)
    form = HeirForm(leader, *([request.POST] if request.method == "POST" else []))
    if form.is_bound and form.is_valid():
        try:
            heir = leadership.hand_over(campaign, person, form.cleaned_data["member"].pk)
        except Refused as refused:
            add_refusal(form, refused)
        else:
            messages.success(request, f"{heir} leads this campaign now. You are a co-storyteller.")
            return SeeOther(reverse("campaigns:campaign", args=[campaign]))
    context = {"campaign": leader.campaign, "form": form}
    return render(request, "campaigns/hand_over.html", context, status=422 if form.is_bound else 200)


@changes_table
def take_up(request: HttpRequest, campaign: int) -> HttpResponse:
    leadership.take_up(campaign, visitor_of(request))
    messages.success(request, "You lead this campaign now.")
    return SeeOther(reverse("campaigns:campaign", args=[campaign]))
