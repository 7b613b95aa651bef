"""The page of an encounter, and the turns that pass on it."""

import uuid
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.middleware.csrf import get_token
from django.urls import reverse
from django.utils.safestring import SafeString
from django.views.decorators.http import require_POST, require_safe

from campaigns.campaign_access import member_of
from campaigns.following import followed
from campaigns.forms import ComingForm, SawForm
from campaigns.models import Campaign, Encounter, Member, Screen
from campaigns.names_apart import names_apart
from campaigns.order import encounter_of
from campaigns.roles import RUN
from campaigns.scene import Scene, scene_for
from campaigns.verbs import creature_actions, encounters, initiative, party_acts
from campaigns.verbs import turn_order as verbs
from campaigns.verbs.screens import screens_of
from characters.change.refusals import Refused
from characters.models import Character
from characters.pages.drawing import draw
from characters.pages.responses import SeeOther, render_spoken
from characters.people import visitor_of
from rules.games.outcome import listed

FIELDS = {"amount", "total", "condition", "rounds", "many"}  # of forms that show a refusal themselves
TRY_AGAIN = "The site could not read that. Reload the page and try again."


def encounter_page(
    request: HttpRequest, campaign: int, *, refused: str = "", at: str = "", status: int = 200, **more: Any
) -> HttpResponse:
    """The whole page. at: the address of the form that was refused. If that form is on the page, it shows the refusal
    itself; otherwise the refusal is on top. `more` may hold a link that was just made."""
    person = visitor_of(request)
    member = member_of(campaign, person)
    runs = member.may(RUN)
    found, encounter = member.campaign, encounter_of(member.campaign)
    scene = encounter and scene_for(encounter, member, person)
    context = {"campaign": found, "runs": runs, "encounter": encounter, "scene": scene, "refused": refused, "at": at}
    context |= followed(found, scene.characters if scene else ())
    if scene is not None:
        context["rules"] = scene.rules
        context["order"] = _order(request, context)
    if runs:
        theirs = _for_storytellers(found, encounter, scene, request.POST)
    else:
        theirs = {"absent": _absent(member, encounter)}
    has_form = at and scene is not None and (at in context["order"] or at in _beside(campaign, scene, theirs))
    context |= {"on_top": "" if has_form else refused, **theirs, **more}
    template = "campaigns/encounter.html#encounter" if request.htmx else "campaigns/encounter.html"
    return render_spoken(request, template, context, status=status)


show = require_safe(encounter_page)


def _order(request: HttpRequest, context: dict[str, Any]) -> SafeString:
    """The order, which is most of what each turn draws again."""
    forms = {"token": get_token(request), "key": lambda: uuid.uuid4().hex, "typed": request.POST}
    return draw("campaigns/encounter_order.jinja", {**context, **forms})


def _beside(campaign: int, scene: Scene, theirs: dict[str, Any]) -> list[str]:
    """The addresses of the forms beside the order that show a refusal themselves."""
    coming = [reverse("campaigns:bring-creature", args=[campaign, kind.pk]) for kind in theirs.get("kinds", ())]
    own = [reverse("campaigns:initiative", args=[campaign, line.combatant.pk]) for line in scene.to_enter]
    return [reverse("campaigns:add-condition", args=[campaign]), *own, *coming]


def _absent(member: Member, encounter: Encounter | None) -> Iterable[Character]:
    """The characters that this member plays at the table, and that are not in the encounter, if one is on."""
    if encounter is None:
        return ()
    played = Character.objects.filter(seat__member=member, binned_at=None)
    return played.exclude(seat__in=encounter.combatants.exclude(seat=None).values("seat"))


def _for_storytellers(
    campaign: Campaign, encounter: Encounter | None, scene: Scene | None, sent: QueryDict
) -> dict[str, Any]:
    known = list(campaign.creatures.filter(archived_at=None))
    context: dict[str, Any] = {"kinds": known, "screens": screens_of(campaign), "vitals": Screen.VITALS}
    if encounter is None or scene is None:
        form = ComingForm(known, sent or None)
        return context | {"last": campaign.encounters.first(), "coming": form}
    inside = {line.combatant.seat_id for line in scene.lines}
    names = {line.combatant.pk: line.name for line in scene.lines}
    hit = creature_actions.newest_hit(encounter)
    act = party_acts.newest_hit(encounter, {name for line in scene.lines for name in (line.rules.HIT, line.rules.HEAL)})
    if hit is not None and act is not None:  # only the very newest hit can be undone
        hit, act = (hit, None) if hit.at > act.at else (None, act)
    present = list(campaign.seats.filter(character__binned_at=None).select_related("character", "member"))
    apart = names_apart(present)
    return context | {
        "to_place": scene.to_place,
        "hit": hit,
        "hit_in_words": creature_actions.in_words(hit, campaign.game, names[hit.combatant_id]) if hit else "",
        "act": act,
        "outside": [(seat, apart[seat.character_id]) for seat in present if seat.pk not in inside],
    }


def changes_encounter(act: Callable[..., int | None]) -> Callable[..., HttpResponse]:
    """A view that does `act` on POST and then shows the encounter: without script from the line of the combatant whose
    id `act` returns, since a result that only the line shows would be out of sight. A refusal is shown at its form, or
    on top of the page."""

    @require_POST
    @wraps(act)
    def view(request: HttpRequest, campaign: int, **which: int) -> HttpResponse:
        try:
            combatant = act(request, campaign, **which)
        except Refused as refused:
            at = request.path if refused.field in FIELDS else ""
            return encounter_page(request, campaign, refused=refused.sentence, at=at, status=422, wrong=refused.field)
        if request.htmx:
            return encounter_page(request, campaign)
        line = f"#combatant-{combatant}" if combatant else ""
        return SeeOther(reverse("campaigns:encounter", args=[campaign]) + line)

    return view


@changes_encounter
def begin(request: HttpRequest, campaign: int) -> None:
    person = visitor_of(request)
    form = ComingForm(member_of(campaign, person, RUN).campaign.creatures.all(), request.POST)
    if not form.is_valid():
        wrong = listed(str(kind) for kind, many, _ in form.rows if many.errors)
        raise Refused(f"The encounter has not begun. Check the number of {wrong}.")
    encounters.begin(campaign, person, request.POST.get("key", ""), form.coming)


@changes_encounter
def end(request: HttpRequest, campaign: int, encounter: int) -> None:
    encounters.end(campaign, visitor_of(request), encounter)
    messages.success(request, "The encounter is over. Everyone stays as they are now.")


@changes_encounter
def resume(request: HttpRequest, campaign: int, encounter: int) -> None:
    encounters.resume(campaign, visitor_of(request), encounter)


@changes_encounter
def next_turn(request: HttpRequest, campaign: int) -> None:
    verbs.next_turn(campaign, visitor_of(request), request.POST.get("key", ""), saw=saw_of(request))


@changes_encounter
def previous_turn(request: HttpRequest, campaign: int) -> None:
    stay = verbs.previous_turn(campaign, visitor_of(request), request.POST.get("key", ""), saw=saw_of(request))
    for sentence in stay:
        messages.warning(request, f"This was not undone, because more has happened since: “{sentence}”")


@changes_encounter
def roll_initiative(request: HttpRequest, campaign: int) -> None:
    refused = initiative.roll_initiative(campaign, visitor_of(request), request.POST.get("key", ""))
    for name, why in refused.items():
        messages.warning(request, f"{name} has not rolled: {why}")


def saw_of(request: HttpRequest) -> int:
    form = SawForm(request.POST)
    if not form.is_valid():
        raise Refused(TRY_AGAIN)
    return form.cleaned_data["saw"]
