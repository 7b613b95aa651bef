"""The fields of forms in which people at a table type text."""

from collections.abc import Callable
from typing import ClassVar

from django import forms

from characters.change.refusals import Refused
from characters.change.text_input import clean, several_lines


class Line(forms.CharField):
    """One line, of `max_length` characters at most, without what cannot be stored or shown."""

    read: ClassVar[Callable[..., str]] = staticmethod(clean)

    def to_python(self, value: object) -> str:
        try:
            return self.read(super().to_python(value), limit=self.max_length, field="")
        except Refused as refused:
            raise forms.ValidationError(refused.sentence) from refused


class Lines(Line):
    """Several lines. A tab, which comes with what is pasted, becomes a space."""

    read = staticmethod(several_lines)
    widget = forms.Textarea

    def to_python(self, value: object) -> str:
        return super().to_python(value.replace("\t", " ") if isinstance(value, str) else value)
