"""Turns plain rows of a pack into the engine's rows."""

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from rules.engine import content as plain
from rules.engine.content import Ref
from rules.models.vocabulary import EffectKind

from .columns import PlainRow

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_names: dict[type, tuple[str, ...]] = {}
COUNTED: set[str] = {EffectKind.MODIFY, EffectKind.ROLL}  # these have an amount


def as_row[T: DataclassInstance](cls: type[T], row: PlainRow, **more: Any) -> T:
    """A `cls` made from `more` and from the keys of `row` that are fields of `cls`."""
    if cls not in _names:
        _names[cls] = tuple(field.name for field in fields(cls))
    return cls(**{name: row[name] for name in _names[cls] if name in row and name not in more}, **more)


def amount(row: PlainRow) -> plain.Amount:
    return as_row(plain.Amount, row, flat=row["amount"] or 0)


def requirement(row: PlainRow) -> plain.Requirement:
    return as_row(plain.Requirement, row, ref=row["element"], value=row["value"] or 0)


def effect(owner: Ref, kind: str, row: PlainRow) -> plain.Effect:
    counted = amount(row) if kind in COUNTED else plain.Amount()
    return as_row(plain.Effect, row, kind=kind, owner=owner, amount=counted, grant_as=row.get("as", ""))


def choice(owner: Ref, row: PlainRow) -> plain.Choice:
    key = f"{owner.partition(':')[2]}.{row['slug']}"
    return as_row(plain.Choice, row, key=key, owner=owner, options=tuple(row["options"]), stats=tuple(row["stats"]))


def switch(row: PlainRow) -> plain.Switch:
    return as_row(plain.Switch, row, allowed=tuple(row["allowed"]), labels=tuple(row["labels"]))


def resource(owner: Ref, row: PlainRow) -> plain.Resource:
    return as_row(plain.Resource, row, owner=owner)


def recovery(owner: Ref, row: PlainRow) -> plain.Recovery:
    return as_row(plain.Recovery, row, owner=owner, amount=amount(row))


def action(owner: Ref, row: PlainRow, timing_sort: int = 0) -> plain.Action:
    return as_row(plain.Action, row, owner=owner, timing_sort=timing_sort, amount=amount(row))
