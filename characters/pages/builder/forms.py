"""The forms of the builder: they check the shape and bounds of what was sent, and the verbs check the rules."""

from collections.abc import Mapping
from typing import Any

from django import forms

from characters.pages.text_fields import WholeField
from rules.number_text import LARGEST

from . import rank_rows
from .builder_character import BuilderCharacter

NO_KEY = "This form is incomplete. Reload the page and try again."
MOST_TEXT = 1200  # the verbs say the real limit, in a sentence
LOWEST_RANK, HIGHEST_RANK = -100, 100  # the game says the real bounds, in a sentence


class BuilderForm(forms.Form):
    key = forms.CharField(min_length=8, max_length=64, error_messages={"required": NO_KEY})

    @property
    def first_error(self) -> str:
        return next(iter(self.errors.values()))[0]


class AnswerForm(BuilderForm):
    """One press in a question: `take` or `drop` an option, `more` or `less` for a point, or `write` the player's own
    word."""

    choice = forms.CharField(max_length=160)
    level = forms.IntegerField(min_value=1, max_value=10_000)
    take = forms.CharField(required=False, max_length=MOST_TEXT)
    drop = forms.CharField(required=False, max_length=MOST_TEXT)
    more = forms.CharField(required=False, max_length=160)
    less = forms.CharField(required=False, max_length=160)
    write = forms.CharField(required=False, max_length=20)
    word = forms.CharField(required=False, max_length=MOST_TEXT)

    def clean(self) -> None:
        if self.cleaned_data.get("write") and not self.cleaned_data.get("word"):
            self.add_error("word", "Write a word first.")

    @property
    def taken(self) -> str:
        asked = self.cleaned_data
        return asked["take"] or asked["more"] or (asked["word"] if asked["write"] else "")

    @property
    def dropped(self) -> str:
        return self.cleaned_data["drop"] or self.cleaned_data["less"]


class AspectForm(BuilderForm):
    """A trait, ideal, bond or flaw: its `text`, or a `roll`, or one to `drop`."""

    kind = forms.CharField(max_length=20)
    text = forms.CharField(required=False, max_length=MOST_TEXT)
    pick = forms.CharField(required=False, max_length=MOST_TEXT)
    roll = forms.CharField(required=False, max_length=20)
    drop = forms.CharField(required=False, max_length=MOST_TEXT)

    def clean(self) -> None:
        if not any(self.cleaned_data.get(name) for name in ("text", "pick", "roll", "drop")) and not self.errors:
            self.add_error("text", "Write it, choose one or roll.")


class RanksForm(BuilderForm):
    """A number for each ability: its rank where ranks are typed, else the position of the result that it gets. The
    number that the page had shown comes as `was-<ability>`."""

    method = forms.ChoiceField(choices=[(word, word) for word in (*rank_rows.TYPED, "array", "rolled")])
    up = forms.CharField(required=False, max_length=80)
    down = forms.CharField(required=False, max_length=80)

    def __init__(self, data: Mapping[str, Any], *, opened: BuilderCharacter) -> None:
        super().__init__(data)
        self.opened = opened
        self.stats = opened.game.creation.rank_stats(opened.bundle)
        for stat in self.stats:
            name = opened.bundle.stats[stat].name
            self.fields[stat] = forms.IntegerField(
                min_value=LOWEST_RANK,
                max_value=HIGHEST_RANK,
                error_messages=dict.fromkeys(
                    ("required", "invalid", "min_value", "max_value"), f"{name}: enter a whole number."
                ),
            )
            self.fields[f"was-{stat}"] = forms.IntegerField(
                required=False, min_value=LOWEST_RANK, max_value=HIGHEST_RANK
            )

    def clean_method(self) -> str:
        method = self.cleaned_data["method"]
        if method not in rank_rows.methods_open(self.opened):
            name = self.opened.game.creation.NAME.lower()
            raise forms.ValidationError(f"The house rules do not allow this way to find {name}.")
        return method

    def clean(self) -> None:
        """Each ability needs a result of its own: if two share one, the second is at fault."""
        if self.cleaned_data.get("method") in rank_rows.TYPED:
            return
        given: dict[int, str] = {}
        for stat in self.stats:
            result, name = self.cleaned_data.get(stat), self.opened.bundle.stats[stat].name
            if result in given:
                self.add_error(stat, f"{given[result]} and {name} have the same result. Give one of them another.")
            elif result is not None:
                given[result] = name

    @property
    def posted(self) -> dict[str, Any]:
        """The method, and the ranks that differ from what the page had shown."""
        changed = [stat for stat in self.stats if self.data.get(stat) != self.data.get(f"was-{stat}")]
        return {name: self.data.get(name, "")[:20] for name in ("method", *changed)}

    @property
    def wrong(self) -> str:
        return next((stat for stat in self.stats if stat in self.errors), "")

    def ranks(self) -> dict[str, int]:
        """The rank of each ability, after the press of plus or minus."""
        asked = self.cleaned_data
        ranks = self._meant({stat: asked[stat] for stat in self.stats})
        for stat, step in ((asked["up"], 1), (asked["down"], -1)):
            if asked["method"] == "points" and stat in ranks:
                ranks[stat] += step
        return ranks

    def saw(self) -> dict[str, int]:
        shown = {stat: self.cleaned_data[f"was-{stat}"] for stat in self.stats}
        return self._meant({stat: number for stat, number in shown.items() if number is not None})

    def _meant(self, numbers: Mapping[str, int]) -> dict[str, int]:
        method = self.cleaned_data["method"]
        if method in rank_rows.TYPED:
            return dict(numbers)
        results = rank_rows.results(self.opened, method)
        return {stat: results[n] if 0 <= n < len(results) else 0 for stat, n in numbers.items()}


class ItemForm(BuilderForm):
    """One thing carried: its new place, its new number, or `remove`; and the `step` whose page sent the form."""

    STEPS = ("equipment", "review")

    item = forms.IntegerField(min_value=1, max_value=LARGEST)
    state = forms.CharField(required=False, max_length=20)
    quantity = forms.IntegerField(required=False)
    remove = forms.CharField(required=False, max_length=20)
    step = forms.ChoiceField(choices=[(step, step) for step in STEPS], required=False)


class BuyForm(BuilderForm):
    """Something from a shelf; or a thing in the player's own words, which costs nothing."""

    ref = forms.CharField(required=False, max_length=120)
    custom = forms.CharField(required=False, max_length=MOST_TEXT)
    quantity = WholeField(required=False, min_value=1, max_value=1_000)
    overspend = forms.CharField(required=False, max_length=20)
