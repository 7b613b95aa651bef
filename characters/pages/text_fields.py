"""The fields of forms in which people type text and numbers."""

from collections.abc import Callable
from typing import Any, ClassVar

from django import forms

from characters.change.refusals import Refused
from characters.change.text_input import clean, in_digits, several_lines


class LineField(forms.CharField):
    """One line of at most `max_length` characters, without any that cannot be stored or shown."""

    read: ClassVar[Callable[..., str]] = staticmethod(clean)

    def to_python(self, value: object) -> str:
        try:
            return self.read(super().to_python(value), limit=self.max_length, field="")
        except Refused as refused:
            raise forms.ValidationError(refused.sentence) from refused


class LinesField(LineField):
    """Several lines. A pasted tab becomes a space."""

    read = staticmethod(several_lines)
    widget = forms.Textarea

    def to_python(self, value: object) -> str:
        return super().to_python(value.replace("\t", " ") if isinstance(value, str) else value)


class WholeField(forms.IntegerField):
    """A whole number within bounds; the refusal names both of them."""

    def __init__(self, *, min_value: int, max_value: int, **more: Any) -> None:
        words = f"Enter a whole number from {in_digits(min_value)} to {in_digits(max_value)}."
        said = dict.fromkeys(("required", "invalid", "min_value", "max_value"), words)
        super().__init__(min_value=min_value, max_value=max_value, error_messages=said, **more)
