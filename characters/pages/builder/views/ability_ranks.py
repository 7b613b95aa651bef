"""Ability ranks: bought, assigned or rolled."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_POST

from characters import verbs
from characters.models import Change
from characters.pages.builder.builder_character import BuilderCharacter
from characters.pages.builder.forms import RanksForm
from characters.pages.builder.step_answer import answer, refuse


@require_POST
def assign(request: HttpRequest, pk: int) -> HttpResponse:
    opened = BuilderCharacter.playable(request, pk)
    form = RanksForm(request.POST, opened=opened)
    if not form.is_valid():
        return refuse(
            request, opened, "abilities", form.first_error, anchor="ranks", field=form.wrong, posted=form.posted
        )
    asked = form.cleaned_data

    what = {"method": asked["method"], "ranks": form.ranks(), "saw": form.saw()}

    def act() -> Change:
        return verbs.set_abilities(pk, opened.visitor, asked["key"], **what)

    return answer(request, opened, "abilities", act, anchor="ranks", posted=form.posted)


@require_POST
def roll(request: HttpRequest, pk: int) -> HttpResponse:
    opened = BuilderCharacter.playable(request, pk)

    def act() -> Change:
        return verbs.roll_abilities(pk, opened.visitor, request.POST.get("key", ""))

    return answer(request, opened, "abilities", act, anchor="ranks", posted={"method": "rolled"})
