"""Answers to the rules' questions: an option taken or dropped, the player's own word, points spread."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_POST

from characters import verbs
from characters.pages.builder.builder_character import BuilderCharacter
from characters.pages.builder.forms import AnswerForm
from characters.pages.builder.step_answer import answer, refuse


@require_POST
def choose(request: HttpRequest, pk: int) -> HttpResponse:
    opened, form = BuilderCharacter.playable(request, pk), AnswerForm(request.POST)
    step = opened.step_of(request.POST.get("choice", ""))
    posted = {name: request.POST[name] for name in ("word", "write") if name in request.POST}
    if not form.is_valid():
        anchor = opened.steps.anchor(request.POST.get("choice", ""))
        return refuse(request, opened, step, form.first_error, anchor=anchor, posted=posted)
    asked = form.cleaned_data
    what = {"choice": asked["choice"], "level": asked["level"]}
    what |= {"drop": form.dropped} if form.dropped else {"take": form.taken}
    anchor = opened.steps.anchor(asked["choice"], asked["level"])
    verb = verbs.unchoose if form.dropped else verbs.choose
    return answer(request, opened, step, verb, what, anchor=anchor, posted=posted)
