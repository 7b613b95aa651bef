"""The next session of a table."""

from datetime import datetime
from typing import Any

from django import forms
from django.contrib import messages
from django.forms.utils import from_current_timezone
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.timezone import get_current_timezone_name, localtime
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from campaigns.campaign_access import member_of
from campaigns.models import Campaign
from campaigns.roles import RUN
from campaigns.verbs import session_dates
from characters.change.refusals import Refused
from characters.pages.responses import SeeOther, add_refusal, as_file
from characters.pages.text_fields import LineField
from characters.people import visitor_of


class SessionForm(forms.Form):
    """A day and an hour, in the time zone of the site."""

    date = forms.DateField(
        label="Day", error_messages=dict.fromkeys(("required", "invalid"), "Choose a day."),
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )  # fmt: skip
    time = forms.TimeField(
        error_messages=dict.fromkeys(("required", "invalid"), "Choose an hour."),
        widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
    )
    minutes = forms.TypedChoiceField(
        label="How long",
        coerce=int,
        choices=[(30 * halves, f"{halves / 2:g} hour{'s' * (halves != 2)}") for halves in range(2, 17)],
        initial=240,
    )
    place = LineField(
        max_length=200,
        required=False,
        label="Where",
        help_text="A place, or a link to call in. Everyone at the table reads it.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["time"].label = f"Hour, in {get_current_timezone_name()}"

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if "date" in given and "time" in given:
            try:
                given["at"] = from_current_timezone(datetime.combine(given["date"], given["time"]))
            except forms.ValidationError:
                self.add_error(
                    "time", "The clocks change that day: this hour is missing or comes twice. Choose another."
                )
        return given


@require_http_methods(["GET", "HEAD", "POST"])
def schedule(request: HttpRequest, campaign: int) -> HttpResponse:
    person = visitor_of(request)
    found = member_of(campaign, person, RUN).campaign
    if request.method != "POST":
        return _as_set(request, found)
    form, saw, status = SessionForm(request.POST), request.POST.get("saw"), 422
    if form.is_valid():
        given = form.cleaned_data
        try:
            fields = {name: given[name] for name in ("at", "minutes", "place")}
            session_dates.schedule(campaign, person, **fields, saw=saw)
        except Refused as refused:
            add_refusal(form, refused)
            status = refused.status
        else:
            return SeeOther(reverse("campaigns:campaign", args=[campaign]))
    date = session_dates.next_of(found)
    context = {"campaign": found, "date": date, "form": form, "moved": saw not in (None, date.stamp if date else "")}
    return render(request, "campaigns/next_session.html", context, status=status)


def _as_set(request: HttpRequest, campaign: Campaign, refusal: str = "", status: int = 200) -> HttpResponse:
    """The form with the date that is set."""
    date = session_dates.next_of(campaign)
    known = {"date": localtime(date.at).date(), "time": localtime(date.at).time()} if date else {}
    form = SessionForm(initial=known | ({"minutes": date.minutes, "place": date.place} if date else {}))
    context = {"campaign": campaign, "date": date, "form": form, "refusal": refusal}
    return render(request, "campaigns/next_session.html", context, status=status)


@require_POST
def call_off(request: HttpRequest, campaign: int) -> HttpResponse:
    person = visitor_of(request)
    try:
        session_dates.call_off(campaign, person, saw=request.POST.get("saw"))
    except Refused as refused:
        return _as_set(request, member_of(campaign, person, RUN).campaign, refused.sentence, refused.status)
    messages.success(request, "The session is called off.")
    return SeeOther(reverse("campaigns:campaign", args=[campaign]))


@require_safe
def calendar(request: HttpRequest, campaign: int) -> HttpResponse:
    """The next session for a calendar."""
    found = member_of(campaign, visitor_of(request)).campaign
    date = session_dates.next_of(found)
    if date is None:
        raise Http404("No session is set.")
    name = found.file_name("session.ics")
    return as_file(session_dates.as_calendar(date), name, "text/calendar; charset=utf-8")
