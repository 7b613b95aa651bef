"""The field of a form for a text of several lines."""

from typing import Any

from django import forms

from rules.packs.yaml_text import tidy


class TidyField(forms.CharField):
    """Browsers end lines with a carriage return as well, by which an unedited text would count as changed."""

    def to_python(self, value: Any) -> str:
        return tidy(super().to_python(value))
