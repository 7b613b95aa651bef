"""The pages of the kinds of creatures that a campaign knows."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from campaigns.campaign_access import member_of, row_of
from campaigns.forms import CreatureForm, ManyForm
from campaigns.models import Creature
from campaigns.order import encounter_of
from campaigns.roles import RUN
from campaigns.verbs import creatures
from campaigns.views.encounter_pages import changes_encounter
from characters.change.refusals import Refused, StalePage
from characters.pages.responses import SeeOther, add_refusal
from characters.people import visitor_of


@require_http_methods(["GET", "HEAD", "POST"])
def create(request: HttpRequest, campaign: int) -> HttpResponse:
    """Describes a creature that the campaign does not know yet, and brings it if an encounter is on."""
    person = visitor_of(request)
    found = member_of(campaign, person, RUN).campaign
    game, sent = found.game, request.POST if request.method == "POST" else None
    form, many = CreatureForm(game, sent), ManyForm(sent) if encounter_of(found) else None
    if form.is_valid() and (many is None or many.is_valid()):
        coming = many.cleaned_data if many else {}
        try:
            creatures.create(campaign, person, request.POST.get("key", ""), **form.cleaned_data, **coming)
        except Refused as refused:
            add_refusal(form, refused)
        else:
            return SeeOther(reverse("campaigns:encounter", args=[campaign]))
    context = {"campaign": found, "form": form, "many_form": many}
    return render(request, "campaigns/creature.html", context, status=200 if sent is None else 422)


@require_http_methods(["GET", "HEAD", "POST"])
def describe(request: HttpRequest, campaign: int, creature: int) -> HttpResponse:
    """Shows a creature as its storyteller describes it, and stores another description."""
    person = visitor_of(request)
    found = member_of(campaign, person, RUN).campaign
    kind, game = row_of(found.creatures, creature), found.game
    if request.method != "POST":
        form = CreatureForm(game, initial=creatures.described(kind))
        return _creature_page(request, kind, form, was=creatures.digest(kind))
    form, was = CreatureForm(game, request.POST), request.POST.get("was", "")
    if not form.is_valid():
        return _creature_page(request, kind, form, was=was, status=422)
    try:
        creatures.describe(campaign, person, creature, was=was, **form.cleaned_data)
    except StalePage as stale:
        form.add_error(None, stale.sentence)
        return _conflict_page(request, stale.stored, form)
    return SeeOther(reverse("campaigns:encounter", args=[campaign]))


def _conflict_page(request: HttpRequest, kind: Creature, form: CreatureForm) -> HttpResponse:
    """The form as it was sent, with what is stored and differs from it. From here on the edit starts from that."""
    stored, sent = creatures.described(kind), form.cleaned_data
    theirs = [(form[column].label, stored[column]) for column in sent if stored[column] != sent[column]]
    return _creature_page(request, kind, form, was=creatures.digest(kind), theirs=theirs, status=409)


def _creature_page(
    request: HttpRequest, kind: Creature, form: CreatureForm, *, was: str, status: int = 200, **more: Any
) -> HttpResponse:
    context = {"campaign": kind.campaign, "creature": kind, "form": form, "was": was, **more}
    return render(request, "campaigns/creature.html", context, status=status)


@require_safe
def archived(request: HttpRequest, campaign: int) -> HttpResponse:
    """The kinds in the archive, each with a link to its page. The encounter's page lists only those in use."""
    found = member_of(campaign, visitor_of(request), RUN).campaign
    context = {"campaign": found, "kinds": found.creatures.exclude(archived_at=None)}
    return render(request, "campaigns/archived_creatures.html", context)


@changes_encounter
def archive(request: HttpRequest, campaign: int, creature: int) -> None:
    messages.success(request, creatures.archive(campaign, visitor_of(request), creature, over="over" in request.POST))
