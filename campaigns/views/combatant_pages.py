"""Buttons and forms for those in an encounter: a storyteller's, and a player's own initiative."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from campaigns.campaign_access import member_of, row_of
from campaigns.forms import ConditionForm, CreatureForm, HitForm, InitiativeForm, ManyForm, MoveForm, RollForm
from campaigns.models import Creature
from campaigns.roles import RUN, SEE
from campaigns.verbs import combatants, creatures, hand, held, initiative
from campaigns.views.encounter_pages import TRY_AGAIN, answered, key_of
from characters.change.refusals import Refused
from characters.pages.responses import SeeOther, add_refusal
from characters.people import visitor_of


@require_http_methods(["GET", "HEAD", "POST"])
def bring_new(request: HttpRequest, campaign: int) -> HttpResponse:
    """Describes a creature that the campaign does not know yet, and brings it."""
    person = visitor_of(request)
    found = member_of(campaign, person, RUN).campaign
    game, sent = found.game, request.POST if request.method == "POST" else None
    form, many = CreatureForm(game, sent), ManyForm(sent)
    if form.is_valid() and many.is_valid():
        try:
            combatants.bring_new(campaign, person, key_of(request), **form.cleaned_data, **many.cleaned_data)
        except Refused as refused:
            add_refusal(form, refused)
        else:
            return SeeOther(reverse("campaigns:encounter", args=[campaign]))
    context = {"campaign": found, "form": form, "many_form": many}
    return render(request, "campaigns/creature.html", context, status=200 if sent is None else 422)


@require_POST
def bring_again(request: HttpRequest, campaign: int, creature: int) -> HttpResponse:
    def act(**many: Any) -> None:
        combatants.bring_again(campaign, visitor_of(request), key_of(request), creature, **many)

    return _read(request, campaign, ManyForm, act)


@require_POST
def bring_seat(request: HttpRequest, campaign: int, seat: int) -> HttpResponse:
    return answered(
        request, campaign, lambda: combatants.bring_seat(campaign, visitor_of(request), key_of(request), seat)
    )


@require_http_methods(["GET", "HEAD", "POST"])
def describe(request: HttpRequest, campaign: int, creature: int) -> HttpResponse:
    """Shows a creature as its storyteller describes it, and stores another description."""
    person = visitor_of(request)
    found = member_of(campaign, person, RUN).campaign
    kind, game = row_of(found.creatures, creature), found.game
    if request.method != "POST":
        form = CreatureForm(game, initial=combatants.described(kind))
        return _creature_page(request, kind, form, was=combatants.mark(kind))
    form, was = CreatureForm(game, request.POST), request.POST.get("was", "")
    if not form.is_valid():
        return _creature_page(request, kind, form, was=was, status=422)
    try:
        combatants.describe(campaign, person, creature, was=was, **form.cleaned_data)
    except combatants.CreatureConflict as conflict:
        form.add_error(None, conflict.sentence)
        return _conflict_page(request, conflict.creature, form)
    return SeeOther(reverse("campaigns:encounter", args=[campaign]))


def _conflict_page(request: HttpRequest, kind: Creature, form: CreatureForm) -> HttpResponse:
    """The form as it was sent, with what is stored and differs from it. From here on the edit starts from that."""
    stored, sent = combatants.described(kind), form.cleaned_data
    theirs = [(form[column].label, stored[column]) for column in sent if stored[column] != sent[column]]
    return _creature_page(request, kind, form, was=combatants.mark(kind), theirs=theirs, status=409)


def _creature_page(
    request: HttpRequest, kind: Creature, form: CreatureForm, *, was: str, status: int = 200, **more: Any
) -> HttpResponse:
    context = {"campaign": kind.campaign, "creature": kind, "form": form, "was": was, **more}
    return render(request, "campaigns/creature.html", context, status=status)


@require_POST
def remove(request: HttpRequest, campaign: int, combatant: int) -> HttpResponse:
    def act() -> None:
        messages.success(request, combatants.remove(campaign, visitor_of(request), combatant))

    return answered(request, campaign, act)


@require_POST
def hide(request: HttpRequest, campaign: int, combatant: int) -> HttpResponse:
    def act() -> None:
        hidden = "hidden" in request.POST
        messages.success(request, combatants.show_or_hide(campaign, visitor_of(request), combatant, hidden=hidden))

    return answered(request, campaign, act)


@require_POST
def enter(request: HttpRequest, campaign: int, combatant: int) -> HttpResponse:
    def act(total: int | None) -> None:
        initiative.enter_initiative(campaign, visitor_of(request), combatant, total=total)

    return _read(request, campaign, InitiativeForm, act, SEE)


@require_POST
def move(request: HttpRequest, campaign: int, combatant: int) -> HttpResponse:
    def act(way: str, saw: int, beside: int | None) -> None:
        initiative.move(campaign, visitor_of(request), combatant, up=way == "up", saw=saw, beside=beside)

    return _read(request, campaign, MoveForm, act)


@require_POST
def hit(request: HttpRequest, campaign: int, combatant: int) -> HttpResponse:
    def act(amount: int) -> None:
        heal = "heal" in request.POST
        done = creatures.hit(campaign, visitor_of(request), key_of(request), combatant, amount=amount, heal=heal)
        messages.success(request, done)

    return _read(request, campaign, HitForm, act)


@require_POST
def hit_character(request: HttpRequest, campaign: int, character: int) -> HttpResponse:
    """A hit on a character. It is in the character's history and among the storytellers' acts; the answer offers to
    undo it."""

    def act(amount: int) -> None:
        heal = "heal" in request.POST
        done = hand.hit(campaign, visitor_of(request), key_of(request), character, amount=amount, heal=heal)
        messages.success(request, done.sentence)

    return _read(request, campaign, HitForm, act)


@require_POST
def undo_hit(request: HttpRequest, campaign: int, hit: int) -> HttpResponse:
    def act() -> None:
        messages.success(request, creatures.undo_hit(campaign, visitor_of(request), hit))

    return answered(request, campaign, act)


@require_POST
def roll(request: HttpRequest, campaign: int, combatant: int) -> HttpResponse:
    def act(which: int, secret: bool) -> None:
        creatures.roll(campaign, visitor_of(request), key_of(request), combatant, which=which, secret=secret)

    return _read(request, campaign, RollForm, act)


@require_POST
def hold(request: HttpRequest, campaign: int) -> HttpResponse:
    def act(combatant: int, condition: str, turn_of: int | None, **when: Any) -> None:
        key = key_of(request)
        held.hold(campaign, visitor_of(request), key, combatant, name=condition, whose=turn_of, **when)

    return _read(request, campaign, ConditionForm, act)


@require_POST
def release(request: HttpRequest, campaign: int, condition: int) -> HttpResponse:
    return answered(request, campaign, lambda: held.release(campaign, visitor_of(request), key_of(request), condition))


def _read(
    request: HttpRequest, campaign: int, form_class: type[forms.Form], act: Callable[..., None], word: str = RUN
) -> HttpResponse:
    """Run `act` with the values of the form, and show the encounter. A fault names its field."""
    member_of(campaign, visitor_of(request), word)
    return answered(request, campaign, lambda: act(**_values_of(form_class(request.POST))))


def _values_of(form: forms.Form) -> dict[str, Any]:
    """The values of a form. Raises Refused if one cannot be read."""
    if not form.is_valid():
        field, errors = next(iter(form.errors.items()))
        label = form.fields[field].label
        raise Refused(f"{label}: {errors[0]}", field) if label else Refused(TRY_AGAIN)
    return form.cleaned_data
