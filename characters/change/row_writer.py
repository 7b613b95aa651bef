"""Writes a character's rows of one model: mostly one or a few at a time, with SQL that is made once."""

from collections.abc import Sequence

from django.db.models import Model, Q, QuerySet

from characters.models import Character
from rules.fast_sql import PLACEHOLDERS, PreparedDelete, PreparedInsert, plain

FEW = 8  # for more rows at once, the SQL is made anew


class RowWriter:
    """`by` are the lookups that identify a row, each with a placeholder as in `Prepared`.

    If a row with the same `unique` fields exists already, its `update` fields are set.
    """

    def __init__(
        self, model: type[Model], *, unique: tuple[str, ...] = (), update: tuple[str, ...] = (), **by: int | str
    ) -> None:
        self.model = model
        self.by = tuple(by)
        self.insert = PreparedInsert(model, unique=unique, update=update)
        self.insert_many = plain.PreparedInsert(model, unique=unique, update=update)
        self.delete = PreparedDelete(lambda owner, *names: self.named(owner, [names]), PLACEHOLDERS[0], *by.values())

    def named(self, character: int, names: Sequence[tuple[int | str, ...]]) -> QuerySet:
        which = Q()
        for values in names:
            which |= Q(**dict(zip(self.by, values, strict=True)))
        return self.model.objects.filter(which, character=character)

    def put(self, rows: list[Model]) -> None:
        if rows:
            (self.insert if len(rows) <= FEW else self.insert_many).put(*rows)

    def remove(self, character: Character, names: Sequence[tuple[int | str, ...]]) -> None:
        """Delete the character's rows with these names; a name has a value for every lookup."""
        if len(names) == 1:
            self.delete.run(character.pk, *names[0])
        elif names:
            self.named(character.pk, names).delete()
