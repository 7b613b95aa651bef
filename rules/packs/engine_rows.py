"""The plain rows of a pack as the engine's rows."""

from dataclasses import fields

from rules.engine import content as plain
from rules.engine.content import Ref
from rules.models.vocabulary import EffectKind

_names: dict[type, tuple[str, ...]] = {}


def as_row(cls: type, row: dict, **more):
    """A `cls` made of those keys of `row` that it has, and of `more`."""
    if cls not in _names:
        _names[cls] = tuple(field.name for field in fields(cls))
    return cls(**{name: row[name] for name in _names[cls] if name in row and name not in more}, **more)


def amount(row: dict) -> plain.Amount:
    return as_row(plain.Amount, row, flat=row["amount"] or 0)


def requirement(row: dict) -> plain.Requirement:
    return as_row(plain.Requirement, row, ref=row["element"], value=row["value"] or 0)


def effect(owner: Ref, kind: str, row: dict) -> plain.Effect:
    counted = amount(row) if kind in (EffectKind.MODIFY, EffectKind.ROLL) else plain.Amount()
    return as_row(plain.Effect, row, kind=kind, owner=owner, amount=counted, grant_as=row.get("as", ""))


def choice(owner: Ref, row: dict) -> plain.Choice:
    key = f"{owner.partition(':')[2]}.{row['slug']}"
    return as_row(plain.Choice, row, key=key, owner=owner, options=tuple(row["options"]), stats=tuple(row["stats"]))


def switch(row: dict) -> plain.Switch:
    return as_row(plain.Switch, row, allowed=tuple(row["allowed"]), labels=tuple(row["labels"]))


def resource(owner: Ref, row: dict) -> plain.Resource:
    return as_row(plain.Resource, row, owner=owner)


def recovery(owner: Ref, row: dict) -> plain.Recovery:
    return as_row(plain.Recovery, row, owner=owner, amount=amount(row))


def action(owner: Ref, row: dict, timing_sort: int = 0) -> plain.Action:
    return as_row(plain.Action, row, owner=owner, timing_sort=timing_sort, amount=amount(row))
