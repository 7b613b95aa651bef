"""The pages beside the sheet, and the quick check whether anything has changed."""

from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_http_methods, require_safe

from characters.access import playable, role_found
from characters.actions.action_context import ActionContext, allowed
from characters.actions.form_values import answers_of
from characters.actions.registry import actions_of
from characters.change.arguments import fingerprint_of
from characters.change.draft import Draft
from characters.change.refusals import Refused
from characters.pages.sheet.drawn_forms import Refusal
from characters.pages.sheet.history_page import since as changed_since
from characters.pages.sheet.live import LiveCharacter
from characters.pages.sheet.live_answer import moved_regions, spoken
from characters.pages.sheet.live_pages import PAGES, ROLL, SINCE
from characters.pages.sheet.live_regions import drawn
from characters.pages.sheet.pooling import pooled
from characters.pages.sheet.rest_preview import downtime_ahead
from characters.people import visitor_of
from characters.read.versions import version_number

OF_A_PRESS = {"csrfmiddlewaretoken", "key"}


@require_safe
def page(request: HttpRequest, pk: int, name: str) -> HttpResponse:
    """A page of PAGES that needs nothing besides its own context."""
    return PAGES[name].show(request, PAGES[name].open(request, pk))


@require_safe
def pool(request: HttpRequest, pk: int) -> HttpResponse:
    """The goods that a pool can buy; without ranks, only the form."""
    live, refusal = PAGES["pool"].open(request, pk), None
    if "ranks" in request.GET:
        try:
            pooled(live, request.GET["ranks"])
        except Refused as refused:
            refusal = Refusal("buy-together", refused.sentence, refused.field)
    return PAGES["pool"].show(request, live, status=422 if refusal else 200, refusal=refusal)


@require_safe
def watch(request: HttpRequest, pk: int) -> HttpResponse:
    """204 while nothing has changed; else the regions that did, for a device that shows an older version.

    401 for a visitor with neither an account nor a guest's token, even if there is no such character.
    """
    person = visitor_of(request)
    if not person.identified:
        return HttpResponse(status=401)
    character = playable(pk, person)
    if request.headers.get("X-Version") == version_number(character):
        return HttpResponse(status=204)
    live = LiveCharacter.of(character, person, role_found(character, person))
    response = HttpResponse(drawn(request, live, moved_regions(request, live)))
    return spoken(response, live, live.latest.sentence if live.latest else "")


@require_safe
def since(request: HttpRequest, pk: int, sequence: int) -> HttpResponse:
    live = LiveCharacter.playable(request, pk)
    point = get_object_or_404(live.character.changes, sequence=sequence)
    return SINCE.show(request, live, point=point, **changed_since(request, live, sequence))


@require_http_methods(["GET", "HEAD", "POST"])
def downtime(request: HttpRequest, pk: int) -> HttpResponse:
    """The form for days between adventures, and what its answers would do. They are posted, since notes may be long;
    nothing is written."""
    live, refusal, ahead = PAGES["downtime"].open(request, pk), None, None
    if request.method == "POST":
        try:
            action = actions_of(live.game.name)[live.page_rules.DOWNTIME]
            answers = answers_of(action.fields, request.POST)
            ahead = {"shown": fingerprint_of(**answers), **downtime_ahead(live, action, answers)}
        except Refused as refused:
            refusal = Refusal("downtime", refused.sentence, refused.field)
    status = 422 if refusal else 200
    return PAGES["downtime"].show(request, live, status=status, ahead=ahead, asked=request.POST, refusal=refusal)


@require_safe
def prepare_roll(request: HttpRequest, pk: int, key: str) -> HttpResponse:
    """One roll with its options: the form, and the exact chance for the answers so far."""
    if OF_A_PRESS & request.GET.keys():  # fields for rolling, which do not belong in an address
        asked = {name: value for name, value in request.GET.items() if value and name not in OF_A_PRESS}
        return redirect(f"{request.path}?{urlencode(asked)}")
    live = ROLL.open(request, pk)
    refusal = None
    try:
        action = actions_of(live.game.name)[live.page_rules.ROLL]
        answers = answers_of(action.fields, {**request.GET.dict(), "roll": key})
        at = ActionContext(Draft(live.character, live.version), live.visitor)
        ready = allowed(live.page_rules.ready_for, at, **answers)
    except Refused as refused:
        refusal, ready = Refusal("roll", refused.sentence, refused.field), None
    if ready is None and (refusal is None or refusal.field in ("roll", "attack")):
        raise Http404
    status = 422 if refusal else 200
    return ROLL.show(request, live, status=status, ready=ready, key=key, asked=request.GET, refusal=refusal)
