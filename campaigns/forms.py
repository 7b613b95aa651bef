from collections.abc import Iterable
from typing import Any

from django import forms

NO_KEY = "This form came without its key. Reload the page and try again."


class CampaignForm(forms.Form):
    """The name of a campaign, and its subject."""

    name = forms.CharField(
        max_length=80, label="Name", error_messages={"required": "Give the campaign a name."},
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )  # fmt: skip
    description = forms.CharField(
        max_length=2000,
        required=False,
        label="Description",
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text="What it is about, when and where you play. Everyone at the table reads it.",
    )


class SettingsForm(CampaignForm):
    """The same of a campaign that there is, and whom its invites let in."""

    accounts_only = forms.BooleanField(
        required=False,
        label="Ask for an account",
        help_text="Whoever opens an invite signs in or signs up before they sit down. Guests who sit here stay.",
    )


class InviteForm(forms.Form):
    """The role, number and time of an invite."""

    role = forms.ChoiceField(label="They come as")
    most = forms.IntegerField(min_value=1, max_value=100, initial=6, label="How many people")
    days = forms.IntegerField(min_value=1, max_value=90, initial=7, label="For how many days")

    def __init__(self, roles: Iterable[str], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["role"].choices = [(role, role.capitalize()) for role in roles]


class JoinForm(forms.Form):
    """The name by which the others know a guest. An account brings its own."""

    name = forms.CharField(
        max_length=40,
        label="Your name",
        help_text="What the others call you.",
        error_messages={"required": "Say what the others call you."},
        widget=forms.TextInput(attrs={"autocomplete": "nickname"}),
    )
