"""Ability ranks: bought, assigned or rolled."""

from django.views.decorators.http import require_POST

from characters import verbs
from characters.pages.builder.desk import Desk
from characters.pages.builder.forms import RanksForm
from characters.pages.builder.step_answer import answer, refuse


@require_POST
def assign(request, pk):
    desk = Desk.playable(request, pk)
    form = RanksForm(request.POST, desk=desk)
    if not form.is_valid():
        return refuse(request, desk, "abilities", form.first_error, where="ranks", wrong=form.wrong, typed=form.typed)
    asked = form.cleaned_data

    what = {"method": asked["method"], "ranks": form.ranks(), "saw": form.saw()}

    def act():
        return verbs.set_abilities(pk, desk.visitor, asked["key"], **what)

    return answer(request, desk, "abilities", act, where="ranks", typed=form.typed)


@require_POST
def roll(request, pk):
    desk = Desk.playable(request, pk)

    def act():
        return verbs.roll_abilities(pk, desk.visitor, request.POST.get("key", ""))

    return answer(request, desk, "abilities", act, where="ranks", typed={"method": "rolled"})
