"""Writes a character's rows of one model: mostly one or a few at a time, with SQL that is made once."""

from collections.abc import Sequence
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import Model, Q, QuerySet

from characters.models import Character
from rules.fast_sql import PLACEHOLDERS, PreparedDelete, PreparedInsert, plain

FEW = 8  # for more rows at once, the SQL is made anew


class RowWriter:
    """`key` are the columns that identify a row of a character, each with a placeholder as in `Prepared`.

    If a row with the same `unique` fields exists already, its `update` fields are set.
    """

    def __init__(
        self, model: type[Model], *, unique: tuple[str, ...] = (), update: tuple[str, ...] = (), **key: int | str
    ) -> None:
        self.model = model
        self.insert = PreparedInsert(model, unique=unique, update=update)
        self.insert_many = plain.PreparedInsert(model, unique=unique, update=update)
        self.delete = PreparedDelete(
            lambda owner, *values: self.named(owner, [dict(zip(key, values, strict=True))]),
            PLACEHOLDERS[0],
            *key.values(),
        )

    def named(self, character: int, keys: Sequence[dict[str, Any]]) -> QuerySet:
        return self.model.objects.filter(reduce(or_, [Q(**key) for key in keys]), character=character)

    def put(self, rows: list[Model]) -> None:
        if rows:
            (self.insert if len(rows) <= FEW else self.insert_many).put(*rows)

    def remove(self, character: Character, keys: Sequence[dict[str, Any]]) -> None:
        """Delete the character's rows with these keys; each has a value for every column of the key."""
        if len(keys) == 1:
            self.delete.run(character.pk, *keys[0].values())
        elif keys:
            self.named(character.pk, keys).delete()
