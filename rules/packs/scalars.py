"""The meaning of a scalar's text in a file of a pack, by the type of its column."""

import re
from collections.abc import Callable
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.db.backends.base.operations import BaseDatabaseOperations

from . import columns as cols
from .yaml_text import tidy

RANGES = BaseDatabaseOperations.integer_field_ranges
# In characters, of a text of several lines. The zip of a homebrew full of such texts is small enough to be taken in.
LONGEST_TEXT = 8_000


def type_of(field: models.Field) -> str:
    if field.name == "cost_class":
        return "cost"
    if isinstance(field, models.BooleanField):
        return "flag"
    if isinstance(field, models.IntegerField):
        return "number"
    return "word" if field.choices else "text"


def read_cost(text: str, field: models.Field) -> int:
    for number, word in cols.COST_WORDS.items():
        if word == text:
            return number
    raise ValidationError(f"must be one of {', '.join(cols.COST_WORDS.values())}.")


def read_flag(text: str, field: models.Field) -> bool:
    if text not in ("true", "false"):
        raise ValidationError("must be true or false.")
    return text == "true"


def read_number(text: str, field: models.Field) -> int:
    if not re.fullmatch(r"-?[0-9]{1,12}", text):
        raise ValidationError("must be a whole number.")
    low, high = RANGES[field.get_internal_type()]
    if not low <= int(text) <= high:
        raise ValidationError(f"must be from {low} to {high}.")
    return int(text)


def read_word(text: str, field: models.Field) -> str:
    words = [str(word) for word, _ in field.flatchoices]
    if text not in words and not (field.blank and text == ""):
        raise ValidationError(f"must be one of {', '.join(words)}.")
    return text


def read_text(text: str, field: models.Field) -> str:
    text = tidy(text)
    if "\0" in text:
        raise ValidationError("must not hold a NUL.")
    if not text and not field.blank:
        raise ValidationError("must not be empty.")
    if "\n" in text and not isinstance(field, models.TextField):
        raise ValidationError("must be one line.")
    if isinstance(field, models.TextField) and len(text) > LONGEST_TEXT:
        raise ValidationError(f"must have at most {LONGEST_TEXT:,} characters.")
    return text


READERS: dict[str, Callable[[str, models.Field], Any]] = {
    "cost": read_cost,
    "flag": read_flag,
    "number": read_number,
    "word": read_word,
    "text": read_text,
}
