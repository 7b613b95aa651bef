"""The notes of a table: written by those who run it, read by the people they are meant for."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from campaigns.campaign_access import member_of, row_of
from campaigns.following import followed
from campaigns.models import Campaign, CampaignNote
from campaigns.models.campaign_note import EVERYONE, ONE, STORYTELLERS
from campaigns.names_apart import names_at
from campaigns.roles import RUN
from campaigns.verbs import campaign_notes
from characters.change.refusals import Refused, StalePage
from characters.models import Character
from characters.pages.responses import SeeOther, add_refusal
from characters.pages.text_fields import LinesField
from characters.people import visitor_of
from rules.number_text import number_in


class NoteForm(forms.Form):
    """A text and its readers: the storytellers, everyone, or one character's player too."""

    text = LinesField(
        max_length=8000,
        label="Note",
        error_messages={"required": "Write something."},
        widget=forms.Textarea(attrs={"rows": 8}),
    )
    reader = forms.ChoiceField(
        label="Who sees it",
        error_messages={"invalid_choice": "That character no longer sits at this table. Choose who sees the note."},
    )

    def __init__(self, campaign: Campaign, *args: Any, note: CampaignNote | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        seated = list(Character.objects.filter(seat__campaign=campaign, binned_at=None).order_by("name", "pk"))
        if note and note.character and note.character not in seated:
            seated.append(note.character)
        names = names_at(campaign)
        self.fields["reader"].choices = [
            (STORYTELLERS, "Storytellers only"),
            (EVERYONE, "Everyone at the table"),
            *((f"{ONE}:{one.pk}", f"{names.get(one.pk, one)}’s player and the storytellers") for one in seated),
        ]


def _notes_page(
    request: HttpRequest, campaign: int, *, form: NoteForm | None = None, refused: str = "", status: int = 200
) -> HttpResponse:
    member = member_of(campaign, visitor_of(request))
    runs = member.may(RUN)
    unseen = dict(campaign_notes.unseen_by(member).values_list("pk", "note"))
    context = {
        "campaign": member.campaign,
        "runs": runs,
        "notes": campaign_notes.notes_for(member),
        "new": {*unseen.values()},
        "newest": max(unseen, default=0),
        "refused": refused,
        "form": form or (NoteForm(member.campaign) if runs else None),
        "deleted": member.campaign.notes.exclude(binned_at=None) if runs else [],
        **followed(member.campaign, ()),
    }
    template = "campaigns/notes.html#notes" if request.htmx else "campaigns/notes.html"
    return render(request, template, context, status=status)


show = require_safe(_notes_page)


@require_POST
def seen(request: HttpRequest, campaign: int) -> HttpResponse:
    """Mark as seen what the page showed, up to its newest reveal."""
    newest = number_in(request.POST.get("newest"))
    if newest is None:
        return _notes_page(request, campaign, refused="Nothing was marked as seen. Press Seen again.", status=422)
    campaign_notes.reveals_seen(campaign, visitor_of(request), newest)
    return SeeOther(reverse("campaigns:notes", args=[campaign]))


@require_POST
def write(request: HttpRequest, campaign: int) -> HttpResponse:
    person = visitor_of(request)
    form = NoteForm(member_of(campaign, person, RUN).campaign, request.POST)
    if form.is_valid():
        try:
            campaign_notes.write(campaign, person, request.POST.get("key", ""), **form.cleaned_data)
        except Refused as refused:
            add_refusal(form, refused)
        else:
            return SeeOther(reverse("campaigns:notes", args=[campaign]))
    return _notes_page(request, campaign, form=form, status=422)


@require_http_methods(["GET", "HEAD", "POST"])
def rewrite(request: HttpRequest, campaign: int, note: int) -> HttpResponse:
    person = visitor_of(request)
    member = member_of(campaign, person, RUN)
    if request.method != "POST":
        found = row_of(campaign_notes.notes_for(member), note)
        form = NoteForm(member.campaign, note=found, initial={"text": found.text, "reader": found.reader})
        return _note_page(request, member.campaign, found, form)
    found = row_of(member.campaign.notes, note)  # also a note that was deleted meanwhile
    form = NoteForm(member.campaign, request.POST, note=found)
    if form.is_valid():
        try:
            campaign_notes.rewrite(campaign, person, note, was=request.POST.get("was", ""), **form.cleaned_data)
        except StalePage as stale:
            form.add_error(None, stale.sentence)
            return _note_page(request, member.campaign, stale.stored, form, theirs=stale.stored, status=stale.status)
        except Refused as refused:
            add_refusal(form, refused)
        else:
            return SeeOther(f"{reverse('campaigns:notes', args=[campaign])}#note-{note}")
    return _note_page(request, member.campaign, found, form, was=request.POST.get("was", ""), status=422)


def _note_page(
    request: HttpRequest,
    campaign: Campaign,
    note: CampaignNote,
    form: NoteForm,
    *,
    theirs: CampaignNote | None = None,
    was: str | None = None,
    status: int = 200,
) -> HttpResponse:
    """A note's form. After a conflict with another edit, it starts from the text that the other edit stored."""
    was = note.digest if was is None else was
    context = {"campaign": campaign, "note": note, "form": form, "theirs": theirs, "was": was}
    return render(request, "campaigns/note.html", context, status=status)


@require_POST
def reveal(request: HttpRequest, campaign: int, note: int) -> HttpResponse:
    """Show a note to everyone at the table, unless it is no longer as the page showed it."""
    person = visitor_of(request)
    found = row_of(member_of(campaign, person, RUN).campaign.notes, note)
    was = request.POST.get("was", "")
    try:
        campaign_notes.rewrite(campaign, person, note, text=found.text, reader=EVERYONE, was=was)
    except Refused:
        messages.error(request, "Someone else has changed or deleted this note. Read the notes again first.")
    else:
        messages.success(request, "Everyone at the table sees the note now.")
    return SeeOther(reverse("campaigns:notes", args=[campaign]))


@require_POST
def bin_note(request: HttpRequest, campaign: int, note: int) -> HttpResponse:
    back = "back" in request.POST
    campaign_notes.bin_note(campaign, visitor_of(request), note, back=back)
    messages.success(request, "The note is back." if back else "The note was deleted. You can restore it below.")
    return SeeOther(reverse("campaigns:notes", args=[campaign]))
