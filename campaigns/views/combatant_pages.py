"""Buttons and forms for those in an encounter: a storyteller's, and a player's own initiative."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest

from campaigns.campaign_access import member_of
from campaigns.forms import (
    CharacterHitForm,
    ConditionForm,
    HitForm,
    InitiativeForm,
    ManyForm,
    MoveForm,
    RollForm,
)
from campaigns.roles import RUN, SEE
from campaigns.verbs import combatant_conditions, combatants, creature_actions, initiative, party_acts
from campaigns.views.encounter_pages import TRY_AGAIN, changes_encounter
from characters.change.refusals import Refused
from characters.people import visitor_of


@changes_encounter
def bring_creatures(request: HttpRequest, campaign: int, creature: int) -> None:
    asked, key = _values(request, campaign, ManyForm), request.POST.get("key", "")
    if numbered := combatants.bring_creatures(campaign, visitor_of(request), key, creature, **asked):
        messages.success(request, numbered)


@changes_encounter
def bring_seat(request: HttpRequest, campaign: int, seat: int) -> None:
    combatants.bring_seat(campaign, visitor_of(request), request.POST.get("key", ""), seat)


@changes_encounter
def remove(request: HttpRequest, campaign: int, combatant: int) -> None:
    messages.success(request, combatants.remove(campaign, visitor_of(request), combatant))


@changes_encounter
def hide(request: HttpRequest, campaign: int, combatant: int) -> None:
    hidden = "hidden" in request.POST
    messages.success(request, combatants.show_or_hide(campaign, visitor_of(request), combatant, hidden=hidden))


@changes_encounter
def enter(request: HttpRequest, campaign: int, combatant: int) -> int:
    entered = _values(request, campaign, InitiativeForm, SEE)
    initiative.enter_initiative(campaign, visitor_of(request), combatant, **entered)
    return combatant


@changes_encounter
def move(request: HttpRequest, campaign: int, combatant: int) -> int:
    sent = _values(request, campaign, MoveForm)
    up = sent.pop("way") == "up"
    initiative.move(campaign, visitor_of(request), combatant, up=up, **sent)
    return combatant


@changes_encounter
def hit(request: HttpRequest, campaign: int, combatant: int) -> None:
    asked, heal = _values(request, campaign, HitForm), "heal" in request.POST
    done = creature_actions.hit(
        campaign, visitor_of(request), request.POST.get("key", ""), combatant, heal=heal, **asked
    )
    messages.success(request, done)


@changes_encounter
def hit_character(request: HttpRequest, campaign: int, character: int) -> None:
    """A hit on a character. It is in the character's history and among the storytellers' acts; the answer offers to
    undo it."""
    asked, heal = _values(request, campaign, CharacterHitForm), "heal" in request.POST
    done = party_acts.hit(campaign, visitor_of(request), request.POST.get("key", ""), character, heal=heal, **asked)
    messages.success(request, done.sentence)


@changes_encounter
def undo_hit(request: HttpRequest, campaign: int, hit: int) -> None:
    messages.success(request, creature_actions.undo_hit(campaign, visitor_of(request), hit))


@changes_encounter
def roll(request: HttpRequest, campaign: int, combatant: int) -> int:
    asked = _values(request, campaign, RollForm)
    creature_actions.roll(campaign, visitor_of(request), request.POST.get("key", ""), combatant, **asked)
    return combatant


@changes_encounter
def add_condition(request: HttpRequest, campaign: int) -> int:
    sent = _values(request, campaign, ConditionForm)
    combatant: int = sent.pop("combatant")
    name, whose = sent.pop("condition"), sent.pop("turn_of")
    combatant_conditions.add(
        campaign, visitor_of(request), request.POST.get("key", ""), combatant, name=name, whose=whose, **sent
    )
    return combatant


@changes_encounter
def remove_condition(request: HttpRequest, campaign: int, condition: int) -> None:
    combatant_conditions.remove(campaign, visitor_of(request), request.POST.get("key", ""), condition)


def _values(request: HttpRequest, campaign: int, form_class: type[forms.Form], word: str = RUN) -> dict[str, Any]:
    """The values of a form, sent by someone whose role allows `word`. Raises Refused if one cannot be read, and says
    which."""
    member_of(campaign, visitor_of(request), word)
    form = form_class(request.POST)
    if not form.is_valid():
        field, errors = next(iter(form.errors.items()))
        label = form.fields[field].label
        raise Refused(f"{label}: {errors[0]}", field) if label else Refused(TRY_AGAIN)
    return form.cleaned_data
