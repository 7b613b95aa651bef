"""Everyone at a table on paper, and in one file that can be uploaded again."""

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from campaigns.campaign_access import member_of
from campaigns.roles import RUN
from campaigns.roster import rows_of
from campaigns.seen_party import SeenParty
from campaigns.verbs import party_file
from characters.access import playable_by
from characters.change.refusals import Refused
from characters.models import Character
from characters.pages.responses import SeeOther, add_refusal, as_file
from characters.people import visitor_of
from characters.read.character_file import packed
from rules.games.outcome import listed

LARGEST = 1_000_000


class PartyForm(forms.Form):
    """The file from “Download everyone”. Only its size is checked here."""

    file = forms.FileField(
        label="Zip file",
        help_text="A zip of character files, at most 1\N{NO-BREAK SPACE}MB.",
        error_messages={
            **dict.fromkeys(("required", "invalid", "missing"), "Choose a file."),
            "empty": "That file is empty.",
        },
        widget=forms.ClearableFileInput(attrs={"accept": "application/zip,.zip"}),
    )

    def clean_file(self) -> bytes:
        file = self.cleaned_data["file"]
        if file.size > LARGEST:
            raise forms.ValidationError("That is more than this site takes at once: the limit is 1 MB.")
        data: bytes = file.read()
        return data


@require_safe
def on_paper(request: HttpRequest, campaign: int) -> HttpResponse:
    """The roster and the rolls of each character, for one sheet of paper."""
    person = visitor_of(request)
    member = member_of(campaign, person)
    rows = [row for row in rows_of(SeenParty(member, person)) if row.seat.member or row.plays]
    return render(request, "campaigns/print.html", {"campaign": member.campaign, "rows": rows})


@require_safe
def download(request: HttpRequest, campaign: int) -> HttpResponse:
    person = visitor_of(request)
    found = member_of(campaign, person, RUN).campaign
    characters = Character.objects.filter(playable_by(person), seat__campaign=found).select_related("ruleset")
    return as_file(packed(characters.order_by("name", "pk")), found.file_name("characters.zip"), "application/zip")


@require_http_methods(["GET", "HEAD", "POST"])
def files(request: HttpRequest, campaign: int) -> HttpResponse:
    """The download, and the form to upload it again."""
    person = visitor_of(request)
    found = member_of(campaign, person, RUN).campaign
    form = PartyForm(request.POST, request.FILES) if request.method == "POST" else PartyForm()
    faults, status = [], 422 if form.is_bound else 200
    if form.is_valid():
        try:
            data = form.cleaned_data["file"]
            seats = party_file.bring_back(campaign, person, request.POST.get("key", ""), data)
        except party_file.BadParty as bad:
            form.add_error("file", bad.sentence)
            faults = bad.faults
        except Refused as refused:
            add_refusal(form, refused)
            status = refused.status
        else:
            made = listed(str(seat.character) for seat in seats)
            messages.success(request, f"Made and waiting for players: {made}.")
            return SeeOther(reverse("campaigns:campaign", args=[campaign]))
    context = {"campaign": found, "form": form, "faults": faults}
    return render(request, "campaigns/files.html", context, status=status)
