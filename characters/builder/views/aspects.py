"""Traits, ideals, bonds and flaws: picked from the background, rolled, written, taken back."""

import secrets

from django.views.decorators.http import require_POST

from characters import verbs
from characters.builder.answer import answer, refuse
from characters.builder.desk import open_desk
from characters.builder.forms import AspectForm
from characters.builder.pages import suggested


@require_POST
def change(request, pk):
    desk, form = open_desk(request, pk), AspectForm(request.POST)
    if not form.is_valid():
        return refuse(request, desk, "aspects", form.first_error)
    asked, kind = form.cleaned_data, form.cleaned_data["kind"]
    text, rows = asked["pick"] or asked["text"], suggested(desk, kind)
    fell = ""
    if asked["roll"]:
        if not rows:
            return refuse(request, desk, "aspects", "There is nothing to roll on yet. Choose a background.", where=kind)
        row = secrets.choice(rows)
        text, fell = row.text, f"Rolled {row.number} on a d{len(rows)}."
    wanted = [pair for pair in desk.build.aspects if pair != (kind, asked["drop"])]
    if not asked["drop"]:
        if not text:
            return refuse(request, desk, "aspects", "Write it, pick one or roll.", where=kind)
        wanted.append((kind, text))

    def act():
        return verbs.set_aspects(pk, desk.person, asked["key"], aspects=wanted)

    return answer(request, desk, "aspects", act, where=kind, typed={"text": text}, first=fell)
