"""The screens of a table: made, changed and ended by its storytellers, shown to anyone with the link."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from campaigns.campaign_access import member_of
from campaigns.following import followed
from campaigns.forms import ScreenForm
from campaigns.order import encounter_of
from campaigns.roles import RUN
from campaigns.scene import scene_for_all
from campaigns.screen_access import by_screen
from campaigns.verbs import screens
from campaigns.views.encounter_pages import changes_encounter, encounter_page
from campaigns.views.members import made_link
from characters.change.refusals import Refused
from characters.pages.responses import unlisted
from characters.people import visitor_of


@require_http_methods(["POST", "GET", "HEAD"])
def make(request: HttpRequest, campaign: int) -> HttpResponse:
    if request.method != "POST":  # someone reloads the page that showed the link
        return redirect("campaigns:encounter", campaign)
    try:
        vitals = _vitals(request, campaign)
        token = screens.make_screen(campaign, visitor_of(request), request.POST.get("key", ""), vitals=vitals)
    except Refused as refused:
        return encounter_page(request, campaign, refused=refused.sentence, status=422)
    return encounter_page(request, campaign, **made_link(request, "screen", token))


def _vitals(request: HttpRequest, campaign: int) -> str:
    """The detail that someone who runs the table has chosen for a screen. Raises Refused for an unknown value."""
    member_of(campaign, visitor_of(request), RUN)
    form = ScreenForm(request.POST)
    if not form.is_valid():
        raise Refused(form.errors["vitals"][0])
    vitals: str = form.cleaned_data["vitals"]
    return vitals


@changes_encounter
def change(request: HttpRequest, campaign: int, screen: int) -> None:
    screens.change_screen(campaign, visitor_of(request), screen, vitals=_vitals(request, campaign))


@changes_encounter
def end(request: HttpRequest, campaign: int, screen: int) -> None:
    screens.end_screen(campaign, visitor_of(request), screen)
    messages.success(request, "The screen was deleted.")


@unlisted
@require_safe
def show(request: HttpRequest, screening: str) -> HttpResponse:
    screen = by_screen(screening)
    encounter = encounter_of(screen.campaign)
    scene = encounter and scene_for_all(encounter, counts=screen.vitals != "words")
    context = {"campaign": screen.campaign, "screen": screen, "encounter": encounter, "scene": scene}
    context["stream"] = reverse("screen-stream", args=[screening])
    template = "campaigns/screen.html#screen" if request.htmx else "campaigns/screen.html"
    follows = followed(screen.campaign, scene.characters if scene else (), screen)
    return render(request, template, {**context, **follows})
