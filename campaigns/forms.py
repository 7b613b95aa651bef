from collections.abc import Callable, Iterable
from typing import Any

from django import forms

from campaigns.models import Creature, Screen
from campaigns.models.encounter import HIGHEST
from campaigns.verbs.encounters import StartingCreatures
from characters.pages.text_fields import LineField, LinesField, WholeField
from rules.games.contract import Game
from rules.games.dice_text import read_dice, read_rolls
from rules.games.outcome import NotAllowed
from rules.models import Ruleset
from rules.number_text import LARGEST


class CampaignForm(forms.Form):
    """The name of a campaign, and its subject."""

    name = LineField(
        max_length=80, label="Name", error_messages={"required": "Give the campaign a name."},
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )  # fmt: skip
    description = LinesField(
        max_length=2000,
        required=False,
        label="Description",
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text="What it is about, when and where you play. Everyone at the table reads it.",
    )


class BeginForm(CampaignForm):
    """The same for a new campaign, and its game if there are several."""

    ruleset = forms.ModelChoiceField(
        Ruleset.objects.playable(),
        to_field_name="slug",
        label="Game",
        empty_label=None,
        widget=forms.RadioSelect,
        error_messages={"required": "Choose a game.", "invalid_choice": "Choose one of these games."},
    )
    field_order = ("name", "ruleset", "description")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.fields["ruleset"].queryset.count() < 2:
            del self.fields["ruleset"]


class SettingsForm(CampaignForm):
    """The same for an existing campaign, and whether its invites ask for an account."""

    accounts_only = forms.BooleanField(
        required=False,
        label="Joining needs an account",
        help_text="Anyone who opens an invite signs in or signs up before they join. Guests who are already here stay.",
    )


class InviteForm(forms.Form):
    """The role that an invite gives, how many people may use it, and for how long."""

    role = forms.ChoiceField(label="Role", error_messages={"invalid_choice": "Choose one of these roles."})
    most = WholeField(min_value=1, max_value=100, initial=6, label="How many people")
    days = WholeField(min_value=1, max_value=90, initial=7, label="For how many days")

    def __init__(self, roles: Iterable[str], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["role"].choices = [(role, role.capitalize()) for role in roles]


class JoinForm(forms.Form):
    """The name by which the others know a guest. An account already has one."""

    name = LineField(
        max_length=40,
        label="Your name",
        help_text="What the others call you.",
        error_messages={"required": "Say what the others call you."},
        widget=forms.TextInput(attrs={"autocomplete": "nickname"}),
    )


class ManyForm(forms.Form):
    """The number of creatures to bring, and whether players see them."""

    many = WholeField(min_value=1, max_value=20, initial=1, label="How many")
    hidden = forms.BooleanField(required=False, label="Hidden", help_text="Players see it once you show it.")


class ComingForm(forms.Form):
    """The creatures that are there when an encounter begins: how many of each kind, and whether players see them."""

    def __init__(self, kinds: Iterable[Creature], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.kinds = list(kinds)
        for kind in self.kinds:
            self.fields[f"many-{kind.pk}"] = WholeField(min_value=0, max_value=20, required=False)
            self.fields[f"hidden-{kind.pk}"] = forms.BooleanField(required=False)

    @property
    def rows(self) -> list[tuple[Creature, forms.BoundField, forms.BoundField]]:
        """Each kind with its two fields."""
        return [(kind, self[f"many-{kind.pk}"], self[f"hidden-{kind.pk}"]) for kind in self.kinds]

    @property
    def coming(self) -> list[StartingCreatures]:
        sent = self.cleaned_data
        rows = [
            StartingCreatures(kind.pk, sent[f"many-{kind.pk}"] or 0, sent[f"hidden-{kind.pk}"]) for kind in self.kinds
        ]
        return [one for one in rows if one.many]


class CreatureForm(forms.Form):
    """A kind of creature as its storyteller describes it, in the words of the game."""

    name = LineField(
        max_length=60, label="Name", error_messages={"required": "Give it a name."},
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )  # fmt: skip
    vital = WholeField(
        min_value=0, max_value=HIGHEST, required=False, help_text="Leave it empty if you do not track it."
    )
    guard = WholeField(min_value=0, max_value=1_000, required=False)
    dice = LineField(max_length=20, required=False, label="Initiative")
    rolls = LinesField(
        max_length=600,
        required=False,
        label="Rolls",
        widget=forms.Textarea(attrs={"rows": 2}),
    )
    notes = LinesField(
        max_length=2000,
        required=False,
        label="Notes",
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="Only storytellers see this.",
    )

    def __init__(self, game: Game, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        rules = self.rules = game.encounter
        self.fields["vital"].label = rules.VITAL
        self.fields["guard"].label = rules.GUARD
        self.fields["rolls"].help_text = f"One on each line: a name and its dice, such as {rules.EXAMPLE}."
        usual = f": {rules.CREATURE} if left empty" if rules.CREATURE else ""
        self.fields["dice"].help_text = f"The dice for its place in the order{usual}."
        if not rules.GUARD:
            del self.fields["guard"]
        if not rules.INITIATIVE:
            del self.fields["dice"]

    def clean_vital(self) -> int:
        return self.cleaned_data["vital"] or 0

    def clean_guard(self) -> int:
        return self.cleaned_data["guard"] or 0

    def clean_dice(self) -> str:
        return self._read("dice", lambda written: read_dice(written, self.rules.DIE))

    def clean_rolls(self) -> str:
        return self._read("rolls", lambda written: read_rolls(written, self.rules.DIE, self.rules.EXAMPLE))

    def _read(self, field: str, read: Callable[[str], object]) -> str:
        written: str = self.cleaned_data[field]
        try:
            if written:
                read(written)
        except NotAllowed as no:
            raise forms.ValidationError(no.sentence) from no
        return written


class SawForm(forms.Form):
    saw = forms.IntegerField(min_value=0, max_value=HIGHEST)


class InitiativeForm(forms.Form):
    total = WholeField(min_value=-1_000, max_value=10_000, required=False, label="Initiative")


class MoveForm(SawForm):
    """Moves a combatant earlier or later: by one place or, if it was dragged, past the combatant `beside`."""

    way = forms.ChoiceField(choices=[("up", "Up"), ("down", "Down")])
    beside = forms.IntegerField(min_value=1, max_value=LARGEST, required=False)


class HitForm(forms.Form):
    amount = WholeField(min_value=1, max_value=HIGHEST, label="Amount")


class CharacterHitForm(HitForm):
    """The same for a character, with the storyteller's reason, which goes into its history."""

    reason = LineField(max_length=120, required=False, label="Reason")


class RollForm(forms.Form):
    which = forms.IntegerField(min_value=0, max_value=600)
    secret = forms.BooleanField(required=False)


class ConditionForm(forms.Form):
    """A condition: its number of rounds, and whose turn counts them."""

    combatant = forms.IntegerField(min_value=1, max_value=LARGEST)
    condition = LineField(max_length=60, label="Condition", error_messages={"required": "Name the condition."})
    rounds = WholeField(min_value=1, max_value=1_000, required=False, label="Rounds")
    turn_of = forms.IntegerField(min_value=1, max_value=LARGEST, required=False)
    at_end = forms.BooleanField(required=False)


class ScreenForm(forms.Form):
    vitals = forms.ChoiceField(choices=Screen.VITALS, initial="bars", label="Shown as")
