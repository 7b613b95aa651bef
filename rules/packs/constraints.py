"""Applies a model's check constraints to a row that is not in the database yet, without a query."""

from collections.abc import Mapping
from typing import Any

from django.db.models import CheckConstraint, F, Model, Q
from django.db.models.constants import LOOKUP_SEP


def broken(model: type[Model], values: Mapping[str, Any]) -> list[str]:
    """The messages of the check constraints of `model` that these values break. values: by field name; a reference only
    needs to be truthy."""
    return [
        str(constraint.get_violation_error_message())
        for constraint in model._meta.constraints
        if isinstance(constraint, CheckConstraint) and holds(constraint.condition, values) is False
    ]


def holds(condition: Q, values: Mapping[str, Any]) -> bool | None:
    """True if the condition holds; None for unknown, as with nulls in SQL."""
    answers = []
    for child in condition.children:
        answers.append(holds(child, values) if isinstance(child, Q) else _compare(child, values))
    if condition.connector == Q.OR:
        answer = True if True in answers else None if None in answers else False
    else:
        answer = False if False in answers else None if None in answers else True
    return answer if answer is None or not condition.negated else not answer


def _compare(child: tuple[str, Any], values: Mapping[str, Any]) -> bool | None:
    name, _, lookup = child[0].partition(LOOKUP_SEP)
    value, other = values[name], child[1]
    if isinstance(other, F):
        other = values[other.name]
    if lookup == "isnull":
        return (value is None) == other
    if value is None or other is None:
        return None
    return COMPARISONS[lookup or "exact"](value, other)


COMPARISONS = {
    "exact": lambda value, other: value == other,
    "in": lambda value, other: value in other,
    "gt": lambda value, other: value > other,
    "gte": lambda value, other: value >= other,
    "lt": lambda value, other: value < other,
    "lte": lambda value, other: value <= other,
}
