"""The steps themselves, and the character's name, which the first and the last one ask."""

from django.http import Http404
from django.views.decorators.http import require_POST, require_safe

from characters import verbs
from characters.pages.builder.desk import Desk
from characters.pages.builder.step_answer import answer, show


@require_safe
def build(request, pk, step):
    desk = Desk.playable(request, pk)
    if step not in desk.steps.STEPS:
        raise Http404("No such step.")
    return show(request, desk, step)


@require_POST
def name(request, pk):
    desk, typed = Desk.playable(request, pk), request.POST.get("name", "")
    step = request.POST.get("step", "")

    def act():
        return verbs.rename(pk, desk.visitor, request.POST.get("key", ""), name=typed)

    asked_on = step if step in desk.steps.STEPS else "review"
    return answer(request, desk, asked_on, act, where="name", typed={"name": typed})
