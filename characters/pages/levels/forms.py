"""The forms of the level pages. They check shapes and bounds; the verbs check the rules."""

from django import forms
from django.http import QueryDict

from characters.change.gain_experience import MOST
from characters.pages.builder.forms import BuilderForm
from characters.pages.text_fields import WholeField
from characters.verbs.leveling import Pick

MOST_FIELDS = 40
LONGEST = 500  # the verbs say the real limit, in a sentence


def asked_for(data: QueryDict) -> Pick:
    """Read a pick out of a QueryDict: `take`, `for`, `q:<choice>` and `w:<choice>` for the player's own words,
    `reason`."""
    answers: dict[str, list[str]] = {}
    for name in list(data)[:MOST_FIELDS]:
        prefix, _, choice = name.partition(":")
        if prefix in ("q", "w"):
            chosen = [text[:LONGEST] for text in data.getlist(name)[:MOST_FIELDS] if text.strip()]
            answers.setdefault(choice, []).extend(chosen)
    return {
        "take": data.get("take", "")[:LONGEST],
        "targets": tuple(text[:LONGEST] for text in data.getlist("for")[:MOST_FIELDS] if text),
        "answers": {choice: chosen for choice, chosen in answers.items() if chosen},
        "override": data.get("reason", "")[:LONGEST],
    }


class ExperienceForm(BuilderForm):
    amount = WholeField(min_value=1, max_value=MOST)
    reason = forms.CharField(required=False, max_length=LONGEST)
    lose = forms.CharField(required=False, max_length=20)
    sure = forms.CharField(required=False, max_length=20)


class MilestoneForm(BuilderForm):
    level = WholeField(min_value=1, max_value=10_000)
    reason = forms.CharField(required=False, max_length=LONGEST)
    sure = forms.CharField(required=False, max_length=20)


class LevelForm(BuilderForm):
    level = forms.IntegerField(min_value=1, max_value=10_000)
