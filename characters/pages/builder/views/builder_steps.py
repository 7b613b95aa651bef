"""The steps themselves, and the character's name, which the first and the last one ask."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_POST, require_safe

from characters import verbs
from characters.pages.builder.builder_character import BuilderCharacter
from characters.pages.builder.step_answer import answer, show


@require_safe
def build(request: HttpRequest, pk: int, step: str) -> HttpResponse:
    return show(request, BuilderCharacter.at_step(request, pk, step), step)


@require_POST
def name(request: HttpRequest, pk: int) -> HttpResponse:
    opened, typed = BuilderCharacter.playable(request, pk), request.POST.get("name", "")
    step = request.POST.get("step", "")
    asked_on = step if step in opened.steps.STEPS else "review"
    return answer(request, opened, asked_on, verbs.rename, {"name": typed}, anchor="name", posted={"name": typed})
