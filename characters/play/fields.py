"""The shapes of what is asked for at the table: words, numbers, ticks, faces of dice, the address of a sheet."""

from urllib.parse import urlsplit

from django import forms
from django.conf import settings
from django.http.request import validate_host
from django.urls import Resolver404, resolve

NO_KEY = "This form came without its key. Reload the page and try again."
LARGEST = 10_000_000
MOST_TEXT = 20_000  # the verbs say the real limit, in a sentence


def key():
    """What tells a form sent twice from two forms."""
    return forms.CharField(min_length=8, max_length=64, error_messages={"required": NO_KEY})


def word(most=120, **options):
    return forms.CharField(max_length=most, required=options.pop("required", True), strip=False, **options)


def maybe(most=120):
    return word(most, required=False)


def number(required=False, least=-LARGEST, **options):
    wrong = dict.fromkeys(("required", "invalid", "min_value", "max_value"), "Enter a whole number.")
    wrong["max_value"] = f"Enter a whole number, {LARGEST:,} at most."
    if least != -LARGEST:
        wrong["min_value"] = f"Enter a whole number, {least} or more."
    return forms.IntegerField(required=required, min_value=least, max_value=LARGEST, error_messages=wrong, **options)


def row(required=True):
    """The id of a row of the database."""
    return forms.IntegerField(required=required, min_value=1, max_value=2**63 - 1)


def tick():
    return forms.BooleanField(required=False)


class Numbers(forms.CharField):
    """Several numbers as people write them: `6 6 2` or `6, 6, 2`."""

    def __init__(self, wrong):
        super().__init__(required=False, max_length=400)
        self.wrong = wrong

    def clean(self, value):
        words = (super().clean(value) or "").replace(",", " ").split()
        if not all(word.isascii() and word.isdigit() and len(word) < 4 for word in words):
            raise forms.ValidationError(self.wrong)
        return tuple(int(word) for word in words)


def faces():
    """Faces of real dice."""
    return Numbers("Write the faces as numbers, such as 6 4 1.")


def others_ranks():
    return Numbers("Write one number for each of the others, such as 3 4.")


class SheetOf(forms.CharField):
    """A character of this site by the address of its sheet, as it stands in a browser; None where nothing is said."""

    def __init__(self):
        super().__init__(required=False, max_length=300)

    def clean(self, value):
        if not (text := super().clean(value)):
            return None
        try:
            address = urlsplit(text)
            asked = resolve(address.path).kwargs.get("pk")
        except (ValueError, Resolver404):
            asked = None
        host = asked and address.hostname
        if not asked or (host and not validate_host(host, settings.ALLOWED_HOSTS)):
            raise forms.ValidationError("That is no address of a character’s sheet on this site.")
        return asked


def how_fields():
    """How a roll is made."""
    return {
        "side": forms.ChoiceField(
            choices=[("", ""), ("advantage", ""), ("disadvantage", "")],
            required=False,
            error_messages={"invalid_choice": "Choose advantage, disadvantage or neither."},
        ),
        "unskilled": tick(),
        "dice": number(),
        "bonus": number(),
        "resolve": number(least=0),
        "aspect": maybe(),
        "target": number(),
        "opponent": number(),
        "opponent_critical": tick(),
        "faces": faces(),
        "secret": tick(),
        "critical": tick(),
    }


def asked_how(asked: dict) -> dict:
    """The words that the verbs of rolling take."""
    side = asked.pop("side")
    return {
        **asked,
        "advantage": side == "advantage",
        "disadvantage": side == "disadvantage",
        **{name: asked[name] or 0 for name in ("dice", "bonus", "resolve")},
    }


def downtime_asked(asked: dict) -> dict:
    """The words that the verb of downtime takes."""
    learn = asked["learn"]
    return {**asked, **{name: asked[name] or 0 for name in ("ranks", "points")}, "learn": [learn] if learn else []}
