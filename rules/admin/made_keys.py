"""The slug or key of a new row, made from its name if the author leaves it empty."""

import re

from django import forms
from django.db.models import Model
from django.utils.text import slugify

from rules.models import Switch

CALLED = {"name", "prompt", "title"}  # fields that people read; the slug or key is made from them


def key_of(model: type[Model], called: str) -> str:
    """The slug of a row with this name, `bog-depth`, or the key of a house rule, `bogDepth`; "" if it has no letter."""
    words = re.sub("^[^a-z]+", "", slugify(called)).split("-")
    if model is Switch:
        return (words[0] + "".join(map(str.capitalize, words[1:])))[:60]
    return "-".join(words)[:60].strip("-")


def may_be_empty(field: forms.Field) -> None:
    field.required = False
    field.help_text += " If you leave it empty, it is made from the name."


def make_key(form: forms.ModelForm, name: str) -> None:
    """Fill in this slug or key, if it is empty, in the form's cleaned data."""
    cleaned = form.cleaned_data
    called = next((cleaned[one] for one in CALLED if cleaned.get(one)), "")
    cleaned[name] = cleaned[name] or key_of(form._meta.model, called)
    if called and not cleaned[name]:
        form.add_error(name, "Write one: none can be made from this name.")
