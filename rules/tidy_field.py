"""The field of a form for a text of several lines."""

from typing import Any

from django import forms

from rules.packs.yaml_text import tidy


class TidyField(forms.CharField):
    """A field that drops the carriage returns browsers add, which would make an unedited text count as changed."""

    def to_python(self, value: Any) -> str:
        return tidy(super().to_python(value))
