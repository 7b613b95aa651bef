"""Ability ranks: bought, assigned or rolled."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_POST

from characters import verbs
from characters.pages.builder.builder_character import BuilderCharacter
from characters.pages.builder.forms import RanksForm
from characters.pages.builder.step_answer import answer, refuse


@require_POST
def assign(request: HttpRequest, pk: int) -> HttpResponse:
    opened = BuilderCharacter.at_step(request, pk, "abilities")
    form = RanksForm(request.POST, opened=opened)
    if not form.is_valid():
        return refuse(
            request, opened, "abilities", form.first_error, anchor="ranks", field=form.wrong, posted=form.posted
        )
    what = {"method": form.cleaned_data["method"], "ranks": form.ranks(), "saw": form.saw()}
    return answer(request, opened, "abilities", verbs.set_abilities, what, anchor="ranks", posted=form.posted)


@require_POST
def roll(request: HttpRequest, pk: int) -> HttpResponse:
    opened, posted = BuilderCharacter.at_step(request, pk, "abilities"), {"method": "rolled"}
    return answer(request, opened, "abilities", verbs.roll_abilities, {}, anchor="ranks", posted=posted)
