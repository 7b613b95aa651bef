from django import forms

NO_KEY = "This form came without its key. Reload the page and try again."


class CampaignForm(forms.Form):
    """What a campaign is called, and what it is about."""

    name = forms.CharField(
        max_length=80, label="Name", error_messages={"required": "Give the campaign a name."},
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )  # fmt: skip
    description = forms.CharField(
        max_length=2000,
        required=False,
        label="Description",
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text="What it is about, when and where you play. Everybody at the table reads it.",
    )
