"""Buttons and forms for those in an encounter: a storyteller's, and a player's own initiative."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from campaigns.campaign_access import member_of, row_of
from campaigns.forms import (
    CharacterHitForm,
    ConditionForm,
    CreatureForm,
    HitForm,
    InitiativeForm,
    ManyForm,
    MoveForm,
    RollForm,
)
from campaigns.models import Creature
from campaigns.order import encounter_of
from campaigns.roles import RUN, SEE
from campaigns.verbs import combatants, creatures, hand, held, initiative
from campaigns.views.encounter_pages import TRY_AGAIN, changes_encounter, key_of
from characters.change.refusals import Refused, StalePage
from characters.pages.responses import SeeOther, add_refusal
from characters.people import visitor_of


@require_http_methods(["GET", "HEAD", "POST"])
def bring_new(request: HttpRequest, campaign: int) -> HttpResponse:
    """Describes a creature that the campaign does not know yet, and brings it if an encounter is on."""
    person = visitor_of(request)
    found = member_of(campaign, person, RUN).campaign
    game, sent = found.game, request.POST if request.method == "POST" else None
    form, many = CreatureForm(game, sent), ManyForm(sent) if encounter_of(found) else None
    if form.is_valid() and (many is None or many.is_valid()):
        coming = many.cleaned_data if many else {}
        try:
            combatants.bring_new(campaign, person, key_of(request), **form.cleaned_data, **coming)
        except Refused as refused:
            add_refusal(form, refused)
        else:
            return SeeOther(reverse("campaigns:encounter", args=[campaign]))
    context = {"campaign": found, "form": form, "many_form": many}
    return render(request, "campaigns/creature.html", context, status=200 if sent is None else 422)


@changes_encounter
def bring_again(request: HttpRequest, campaign: int, creature: int) -> None:
    many = _values(request, campaign, ManyForm)
    if numbered := combatants.bring_again(campaign, visitor_of(request), key_of(request), creature, **many):
        messages.success(request, numbered)


@changes_encounter
def bring_seat(request: HttpRequest, campaign: int, seat: int) -> None:
    combatants.bring_seat(campaign, visitor_of(request), key_of(request), seat)


@require_http_methods(["GET", "HEAD", "POST"])
def describe(request: HttpRequest, campaign: int, creature: int) -> HttpResponse:
    """Shows a creature as its storyteller describes it, and stores another description."""
    person = visitor_of(request)
    found = member_of(campaign, person, RUN).campaign
    kind, game = row_of(found.creatures, creature), found.game
    if request.method != "POST":
        form = CreatureForm(game, initial=combatants.described(kind))
        return _creature_page(request, kind, form, was=combatants.digest(kind))
    form, was = CreatureForm(game, request.POST), request.POST.get("was", "")
    if not form.is_valid():
        return _creature_page(request, kind, form, was=was, status=422)
    try:
        combatants.describe(campaign, person, creature, was=was, **form.cleaned_data)
    except StalePage as stale:
        form.add_error(None, stale.sentence)
        return _conflict_page(request, stale.stored, form)
    return SeeOther(reverse("campaigns:encounter", args=[campaign]))


def _conflict_page(request: HttpRequest, kind: Creature, form: CreatureForm) -> HttpResponse:
    """The form as it was sent, with what is stored and differs from it. From here on the edit starts from that."""
    stored, sent = combatants.described(kind), form.cleaned_data
    theirs = [(form[column].label, stored[column]) for column in sent if stored[column] != sent[column]]
    return _creature_page(request, kind, form, was=combatants.digest(kind), theirs=theirs, status=409)


def _creature_page(
    request: HttpRequest, kind: Creature, form: CreatureForm, *, was: str, status: int = 200, **more: Any
) -> HttpResponse:
    context = {"campaign": kind.campaign, "creature": kind, "form": form, "was": was, **more}
    return render(request, "campaigns/creature.html", context, status=status)


@require_POST
def archive(request: HttpRequest, campaign: int, creature: int) -> HttpResponse:
    messages.success(request, combatants.archive(campaign, visitor_of(request), creature, over="over" in request.POST))
    return SeeOther(reverse("campaigns:encounter", args=[campaign]))


@changes_encounter
def remove(request: HttpRequest, campaign: int, combatant: int) -> None:
    messages.success(request, combatants.remove(campaign, visitor_of(request), combatant))


@changes_encounter
def hide(request: HttpRequest, campaign: int, combatant: int) -> None:
    hidden = "hidden" in request.POST
    messages.success(request, combatants.show_or_hide(campaign, visitor_of(request), combatant, hidden=hidden))


@changes_encounter
def enter(request: HttpRequest, campaign: int, combatant: int) -> None:
    entered = _values(request, campaign, InitiativeForm, SEE)
    initiative.enter_initiative(campaign, visitor_of(request), combatant, **entered)


@changes_encounter
def move(request: HttpRequest, campaign: int, combatant: int) -> None:
    sent = _values(request, campaign, MoveForm)
    up = sent.pop("way") == "up"
    initiative.move(campaign, visitor_of(request), combatant, up=up, **sent)


@changes_encounter
def hit(request: HttpRequest, campaign: int, combatant: int) -> None:
    amount, heal = _values(request, campaign, HitForm)["amount"], "heal" in request.POST
    done = creatures.hit(campaign, visitor_of(request), key_of(request), combatant, amount=amount, heal=heal)
    messages.success(request, done)


@changes_encounter
def hit_character(request: HttpRequest, campaign: int, character: int) -> None:
    """A hit on a character. It is in the character's history and among the storytellers' acts; the answer offers to
    undo it."""
    asked, heal = _values(request, campaign, CharacterHitForm), "heal" in request.POST
    done = hand.hit(campaign, visitor_of(request), key_of(request), character, heal=heal, **asked)
    messages.success(request, done.sentence)


@changes_encounter
def undo_hit(request: HttpRequest, campaign: int, hit: int) -> None:
    messages.success(request, creatures.undo_hit(campaign, visitor_of(request), hit))


@changes_encounter
def roll(request: HttpRequest, campaign: int, combatant: int) -> None:
    asked = _values(request, campaign, RollForm)
    creatures.roll(campaign, visitor_of(request), key_of(request), combatant, **asked)


@changes_encounter
def hold(request: HttpRequest, campaign: int) -> None:
    sent = _values(request, campaign, ConditionForm)
    name, whose, combatant = sent.pop("condition"), sent.pop("turn_of"), sent.pop("combatant")
    held.hold(campaign, visitor_of(request), key_of(request), combatant, name=name, whose=whose, **sent)


@changes_encounter
def release(request: HttpRequest, campaign: int, condition: int) -> None:
    held.release(campaign, visitor_of(request), key_of(request), condition)


def _values(request: HttpRequest, campaign: int, form_class: type[forms.Form], word: str = RUN) -> dict[str, Any]:
    """The values of a form, sent by somebody whose role allows `word`. Raises Refused if one cannot be read, and says
    which."""
    member_of(campaign, visitor_of(request), word)
    form = form_class(request.POST)
    if not form.is_valid():
        field, errors = next(iter(form.errors.items()))
        label = form.fields[field].label
        raise Refused(f"{label}: {errors[0]}", field) if label else Refused(TRY_AGAIN)
    return form.cleaned_data
