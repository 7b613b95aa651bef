"""The log of a table: read, filtered, exported, undone from; and its session marks, with a summary of each session."""

import csv
import json
from collections.abc import Iterable, Mapping
from datetime import date
from io import StringIO
from itertools import groupby
from operator import attrgetter
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.timezone import localtime
from django.views.decorators.http import require_POST, require_safe

from campaigns.campaign_access import member_of
from campaigns.following import followed
from campaigns.log_acts import ActRow, by_act, page_of
from campaigns.models import Reveal, SessionMark
from campaigns.party_log import A_PAGE, MOST_EXPORTED, LogEntry, LogFilters, PartyLog, Throw
from campaigns.roles import RUN
from campaigns.session_summary import summary_of
from campaigns.verbs import party_acts
from campaigns.verbs import session_marks as marks
from characters.actions.act import run
from characters.change.refusals import Refused
from characters.models import Change
from characters.pages.responses import SeeOther, add_refusal, as_file
from characters.pages.text_fields import LineField
from characters.people import visitor_of
from rules.games import GAMES

type LogRow = SessionMark | Reveal | LogEntry | Throw | ActRow
LATEST = 8  # rows beside the roster
CSV_BEGINS_FORMULAS = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r")  # full-width signs count, too


class MarkForm(forms.Form):
    name = LineField(
        max_length=80,
        label="Name",
        error_messages={"required": "Give the mark a name."},
        widget=forms.TextInput(attrs={"autocomplete": "off", "placeholder": "e.g. Session 4: the lighthouse"}),
    )


def _log_of(request: HttpRequest, campaign: int) -> PartyLog:
    person = visitor_of(request)
    return PartyLog(member_of(campaign, person), person)


def _log_page(
    request: HttpRequest,
    campaign: int,
    *,
    sent: Mapping[str, str] | None = None,
    form: MarkForm | None = None,
    refused: Mapping[str, Any] | None = None,
    status: int = 200,
) -> HttpResponse:
    log = _log_of(request, campaign)
    asked = log.asked(request.GET if sent is None else sent)
    found = log.entries(asked, most=A_PAGE + 1)
    entries = page_of(found, A_PAGE)
    earlier = entries[-1] if len(found) > len(entries) else None
    context = {
        "campaign": log.campaign,
        "runs": log.runs,
        "log": log,
        "asked": asked,
        "query": urlencode(asked.filters),
        "days": _days(log, asked, entries, earlier),
        "earlier": earlier,
        "form": form or MarkForm(),
        "removed": log.campaign.marks.exclude(removed_at=None) if log.runs else [],
        "refused": refused,
        **followed(log.campaign, log.everyone.values()),
    }
    template = "campaigns/log.html#entries" if request.htmx else "campaigns/log.html"
    return render(request, template, context, status=status)


show = require_safe(_log_page)


@require_safe
def latest(request: HttpRequest, campaign: int) -> HttpResponse:
    """The latest events beside the roster, for a page that follows them."""
    log = _log_of(request, campaign)
    return render(request, "campaigns/_log_latest.html", {"campaign": log.campaign, **latest_events(log)})


def latest_events(log: PartyLog) -> dict[str, Any]:
    # Read the numbers first: a change between the two reads is then fetched again.
    followers = followed(log.campaign, log.everyone.values())
    # One act may change every character once, and is one row.
    newest = log.newest(LogFilters(recent=True), most=LATEST * max(1, len(log.everyone)))
    return {"log_follows": followers, "events": list(by_act(log, newest))[:LATEST]}


def _days(
    log: PartyLog, asked: LogFilters, entries: Iterable[LogEntry | Throw], earlier: LogEntry | Throw | None
) -> list[tuple[date, list[LogRow]]]:
    """The log by days, newest first: changes, with marks, shown notes and the rolls of creatures among them."""
    since = earlier.at if earlier else None
    until = Change.objects.filter(pk=asked.before).values_list("at", flat=True).first() if asked.before else None
    marks = [one for one in log.marks if (not until or one.at < until) and (not since or one.at >= since)]
    notes, throws = log.shown_notes(asked, since, until), log.of_creatures(asked, since, until)
    rows = sorted((*marks, *notes, *entries, *throws), key=attrgetter("at"), reverse=True)
    return [(day, list(found)) for day, found in groupby(by_act(log, rows), lambda row: localtime(row.at).date())]


@require_safe
def export(request: HttpRequest, campaign: int, form: str) -> HttpResponse:
    """The newest changes that the filters leave, as a file."""
    log = _log_of(request, campaign)
    rows = [exported(one) for one in log.newest(log.asked(request.GET), most=MOST_EXPORTED)]
    if form == "json":
        text = json.dumps({"campaign": log.campaign.name, "log": rows}, indent=1, ensure_ascii=False)
        kind = "application/json"
    else:
        text, kind = csv_of(rows), "text/csv; charset=utf-8"
    return as_file(text.encode(), log.campaign.file_name(f"log.{form}"), kind)


def exported(entry: LogEntry | Throw | Reveal) -> dict[str, Any]:
    if isinstance(entry, Reveal):
        told = {"at": localtime(entry.at).isoformat(), "character": "", "who": str(entry.by or "")}
        return told | {"what": f"A note is shown to {entry.to}.", "reason": "", "undone": False, "rolls": []}
    row = {"at": localtime(entry.at).isoformat(), "character": entry.name, "who": entry.who}
    if isinstance(entry, Throw):
        rolls = [{"name": one.name, "faces": one.faces, "total": one.total} for one in entry.dice]
        what = ", ".join(one.name if one.total is None else f"{one.name}: {one.total}" for one in entry.dice)
        return row | {"what": what, "reason": "", "undone": not entry.stands, "rolls": rolls}
    rolls = [
        {"name": one.name, "faces": one.faces, "total": one.total, "critical": one.critical} for one in entry.rolls
    ]
    change = entry.change
    return row | {"what": change.sentence, "reason": change.reason, "undone": not change.stands, "rolls": rolls}


def csv_of(rows: list[dict[str, Any]]) -> str:
    """The rows as CSV. Cells that a spreadsheet would take for a formula begin with an apostrophe."""
    written = StringIO()
    table = csv.writer(written)
    table.writerow(["at", "character", "who", "what", "reason", "undone", "dice"])
    for row in rows:
        dice = "; ".join(" ".join(str(face) for face in roll["faces"]) for roll in row["rolls"])
        told = [row["at"], row["character"], row["who"], row["what"], row["reason"]]
        cells = [*told, "yes" if row["undone"] else "", dice]
        table.writerow([f"'{cell}" if cell.startswith(CSV_BEGINS_FORMULAS) else cell for cell in cells])
    return written.getvalue()


@require_POST
def undo(request: HttpRequest, campaign: int, character: int) -> HttpResponse:
    """Undo a change, by the same action as the sheet's own history; the action checks who may."""
    log = _log_of(request, campaign)
    if character not in log.characters:
        raise Http404("No such character at this table.")
    asked = log.asked(request.POST)
    try:
        change = run(character, log.person, request.POST.get("key", ""), "undo", request.POST)
    except Refused as refused:
        wrong = {"character": character, "change": request.POST.get("change"), "sentence": refused.sentence}
        return _log_page(request, campaign, sent=request.POST, refused=wrong, status=422)
    messages.success(request, change.sentence)
    return _back(request, log, asked)


@require_POST
def undo_act(request: HttpRequest, campaign: int, number: int) -> HttpResponse:
    """Undo an act for all of its characters."""
    log = _log_of(request, campaign)
    try:
        done = party_acts.undo(campaign, log.person, request.POST.get("key", ""), number)
    except Refused as refused:
        return _log_page(request, campaign, sent=request.POST, refused={"sentence": refused.sentence}, status=422)
    messages.success(request, done.sentence)
    return _back(request, log, log.asked(request.POST))


def _back(request: HttpRequest, log: PartyLog, asked: LogFilters) -> HttpResponse:
    """To the place in the log, or on the table's page, where the button was."""
    if "beside" in request.POST:
        return SeeOther(log.campaign.get_absolute_url())
    kept = asked.filters | ({"before": asked.before} if asked.before else {})
    return SeeOther(f"{reverse('campaigns:log', args=[log.campaign.pk])}{'?' * bool(kept)}{urlencode(kept)}")


@require_POST
def set_mark(request: HttpRequest, campaign: int) -> HttpResponse:
    person = visitor_of(request)
    member_of(campaign, person, RUN)
    form = MarkForm(request.POST)
    if form.is_valid():
        try:
            marks.set_mark(campaign, person, request.POST.get("key", ""), **form.cleaned_data)
        except Refused as refused:
            add_refusal(form, refused)
        else:
            return SeeOther(reverse("campaigns:log", args=[campaign]))
    return _log_page(request, campaign, sent={}, form=form, status=422)


@require_POST
def remove_mark(request: HttpRequest, campaign: int, mark: int) -> HttpResponse:
    back = "back" in request.POST
    found = marks.remove_mark(campaign, visitor_of(request), mark, back=back)
    messages.success(request, f"{found} is back." if back else f"{found} was deleted. You can restore it below.")
    return SeeOther(reverse("campaigns:log", args=[campaign]))


@require_safe
def session(request: HttpRequest, campaign: int, mark: int) -> HttpResponse:
    """The events from a mark to the next."""
    log = _log_of(request, campaign)
    found = log.mark(mark)
    if found is None:
        raise Http404("No such mark.")
    context = {
        "campaign": log.campaign,
        "mark": found,
        "until": log.until(found),
        "summary": summary_of(log, found),
        "points": GAMES[log.campaign.ruleset.game].levels.POINTS,
    }
    return render(request, "campaigns/session.html", context)
