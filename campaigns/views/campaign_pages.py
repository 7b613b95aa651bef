"""My campaigns, and one campaign: begun, shown, described, archived and deleted."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.db.models import Prefetch, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from campaigns.acts import lately
from campaigns.campaign_access import member_of, memberships
from campaigns.following import followed
from campaigns.forms import BeginForm, SettingsForm
from campaigns.models import Campaign, Member, Seat
from campaigns.names_apart import own_names_apart
from campaigns.new_characters import sets_of, terms_of
from campaigns.order import encounter_of, names_of, order_of, takes_turns, whose_turn
from campaigns.party_log import PartyLog
from campaigns.party_skills import best_at_skills, languages_of
from campaigns.roles import OWN, PLAY, RUN
from campaigns.roster import RosterRow, deeds_at, rows_of
from campaigns.seen_party import SeenParty
from campaigns.shown_pairings import pairings_of
from campaigns.shown_purchases import waiting_for
from campaigns.verbs import campaigns, leadership, session_dates
from campaigns.views.log_pages import latest_events
from campaigns.views.refusal_pages import refused_on
from characters.access import owned_by
from characters.change.refusals import Refused
from characters.models import Character
from characters.pages.responses import SeeOther
from characters.people import Person, visitor_of
from characters.read.prose import digest_of
from rules.models import Source

MOST_TO_BRING = 200


@require_safe
def mine(request: HttpRequest) -> HttpResponse:
    own_seats = Prefetch("seats", Seat.objects.filter(character__binned_at=None).select_related("character"))
    found = list(memberships(visitor_of(request)).prefetch_related(own_seats))
    shown = [one for one in found if not one.campaign.binned_at]
    dates = session_dates.next_dates([one.campaign for one in shown])
    tables = [{"member": one, "date": dates.get(one.campaign_id)} for one in shown]
    context = {
        "going_on": [table for table in tables if not table["member"].campaign.archived_at],
        "archived": [table for table in tables if table["member"].campaign.archived_at],
        "binned": [one.campaign for one in found if one.campaign.binned_at],
    }
    return render(request, "campaigns/list.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def begin(request: HttpRequest) -> HttpResponse:
    sent = request.POST if request.method == "POST" else None
    if not request.user.is_authenticated:
        if sent is None:
            return redirect_to_login(request.get_full_path())
        raise Http404("You need an account to lead a campaign.")  # the form comes back with what was typed
    form = BeginForm(sent)
    if form.is_valid():
        try:
            made = campaigns.create(visitor_of(request), request.POST.get("key", ""), **form.cleaned_data)
        except Refused as refused:
            form.add_error(None, refused.sentence)
        else:
            return SeeOther(made.get_absolute_url())
    return render(request, "campaigns/begin.html", {"form": form}, status=422 if form.is_bound else 200)


@require_safe
def show_seat(request: HttpRequest, campaign: int, seat: int) -> HttpResponse:
    """One row of the roster, for a page that follows its character."""
    person = visitor_of(request)
    member = member_of(campaign, person)
    rows = _roster(member, rows_of(SeenParty(member, person), only=seat))
    if not rows:
        raise Http404("No such seat.")
    deeds = list(deeds_at(member.campaign, rows)) if member.may(RUN) else []
    return render(request, "campaigns/_row.html", {"campaign": member.campaign, "row": rows[0], "deeds": deeds})


def _roster(member: Member, rows: list[RosterRow]) -> list[RosterRow]:
    """The characters that are played. For people who run the table, also those that wait for a player."""
    return [row for row in rows if row.seat.member or member.may(RUN)]


def campaign_page(request: HttpRequest, campaign: int, *, refused: str = "", status: int = 200) -> HttpResponse:
    person = visitor_of(request)
    member = member_of(campaign, person)
    log = PartyLog(member, person)
    rows, runs = rows_of(log), log.runs
    people = [one for one in log.people.values() if one.gone_at is None]
    context = {
        "campaign": member.campaign,
        **followed(member.campaign, ()),
        "member": member,
        "runs": runs,
        "homebrew": not runs and Source.objects.published().filter(homebrew__table__campaign=campaign).exists(),
        "owns": member.may(OWN),
        "rows": _roster(member, rows),
        "prepared": [row for row in rows if not row.seat.member] if member.may(PLAY) else [],
        "people": people,
        "leaderless": leadership.is_open(people),
        "may_take_up": leadership.may_take_up(member, people),
        "next_session": session_dates.next_of(member.campaign),
        "to_bring": to_bring(person) if member.takes_part else [],
        "refused": refused,
        **_turns(member),
        **latest_events(log),
        **_beginning(member, rows),
        **_agreed_to(member, person, rows),
        **(_for_storytellers(member.campaign, rows) if runs else {}),
    }
    template = "campaigns/campaign.html#table" if request.htmx else "campaigns/campaign.html"
    return render(request, template, context, status=status)


show = require_safe(campaign_page)


def _refused(request: HttpRequest, campaign: int, refused: Refused) -> HttpResponse:
    return campaign_page(request, campaign, refused=refused.sentence, status=refused.status)


changes_table = refused_on(_refused)


def _beginning(member: Member, rows: list[RosterRow]) -> dict[str, Any]:
    """The terms at which characters begin here, and the reader's dice for them."""
    terms = rows[0].terms if rows else terms_of(member.campaign)
    rolls = terms.shared or (terms.rolling_mode and member.may(PLAY))
    dice = sets_of(terms).get(None if terms.shared else member.pk) if rolls else None
    return {"terms": terms, "rolls": rolls, "shared": terms.shared, "dice": dice}


def _turns(member: Member) -> dict[str, Any]:
    """The order of the encounter that is on, as far as this member sees it, from the present turn on."""
    encounter = encounter_of(member.campaign)
    if encounter is None or not encounter.round:
        return {}
    order = order_of(encounter)
    names = names_of(order, hidden=member.may(RUN))
    now, seen = whose_turn(encounter, order), [one for one in order if one.pk in names and not one.is_away]
    at = seen.index(now) if now in seen else 0  # from a hidden one on would tell its place
    turns = [(one, names[one.pk], takes_turns(one)) for one in seen[at:] + seen[:at]]
    return {"encounter": encounter, "turns": turns, "now": now}


def _agreed_to(member: Member, person: Person, rows: list[RosterRow]) -> dict[str, Any]:
    """Relationships and purchases: whether there are any here, and how many wait for the reader's Yes."""
    related = any(row.seat.member and row.version.table.has_relationships for row in rows)
    pools = member.takes_part and sum(row.version.bundle.game.page_rules is not None for row in rows) > 1
    return {
        "related": related,
        "relationships_to_answer": sum(len(one.mine) for one in pairings_of(member)) if related else 0,
        "pools": pools,
        "purchases_to_answer": waiting_for(person).filter(campaign=member.campaign).count() if pools else 0,
    }


def _for_storytellers(campaign: Campaign, rows: list[RosterRow]) -> dict[str, Any]:
    return {
        "deeds": list(deeds_at(campaign, rows).values()),
        "waiting": [row for row in rows if not row.seat.member],
        **lately(campaign),
        "best": best_at_skills(rows),
        "languages": languages_of(rows),
    }


def to_bring(person: Person) -> list[tuple[Character, str]]:
    """The person's own characters that sit at no table yet, without the bin, and their names told apart."""
    free = Q(seat=None) | Q(seat__campaign__binned_at__isnull=False)
    found = Character.objects.filter(owned_by(person), free, binned_at=None).order_by("name", "pk")
    return own_names_apart(found[:MOST_TO_BRING])


def elsewhere(person: Person, campaign: Campaign) -> QuerySet:
    """The person's own characters that sit at another table, without the bin."""
    seated = Seat.objects.filter(campaign__binned_at=None).exclude(campaign=campaign)
    found = Character.objects.filter(owned_by(person), binned_at=None, seat__in=seated)
    return found.order_by("name", "pk")[:MOST_TO_BRING]


@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: HttpRequest, campaign: int) -> HttpResponse:
    person = visitor_of(request)
    found = member_of(campaign, person, OWN).campaign
    if request.method != "POST":
        known = campaigns.described(found)
        return _settings_page(request, found, SettingsForm(initial=known), saw=digest_of(known))
    form, saw = SettingsForm(request.POST), request.POST.get("saw")
    if not form.is_valid():
        return _settings_page(request, found, form, saw=saw, status=422)
    try:
        campaigns.describe(campaign, person, saw=saw, **form.cleaned_data)
    except Refused as refused:
        form.add_error(None, refused.sentence)
        found = member_of(campaign, person, OWN).campaign
        saw = digest_of(campaigns.described(found))
        return _settings_page(request, found, form, saw=saw, moved=True, status=refused.status)
    messages.success(request, "Saved.")
    return SeeOther(found.get_absolute_url())


def _settings_page(
    request: HttpRequest, found: Campaign, form: SettingsForm, *, status: int = 200, **more: Any
) -> HttpResponse:
    return render(request, "campaigns/settings.html", {"campaign": found, "form": form, **more}, status=status)


@require_POST
def archive(request: HttpRequest, campaign: int) -> HttpResponse:
    found = campaigns.archive(campaign, visitor_of(request), over="over" in request.POST)
    messages.success(request, f"{found} is {'in' if found.archived_at else 'out of'} the archive.")
    return SeeOther(found.get_absolute_url())


@require_POST
def throw_away(request: HttpRequest, campaign: int) -> HttpResponse:
    found = campaigns.throw_away(campaign, visitor_of(request))
    messages.success(request, f"{found} was deleted. You can restore it below.")
    return SeeOther(reverse("campaigns:list"))


@require_POST
def restore(request: HttpRequest, campaign: int) -> HttpResponse:
    found = campaigns.restore(campaign, visitor_of(request))
    messages.success(request, f"{found} is back.")
    return SeeOther(found.get_absolute_url())
