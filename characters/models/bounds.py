"""Bounds that the database enforces: SQLite by itself checks neither a text's `max_length` nor the size of a number."""

from django.db.models import CheckConstraint, Q
from django.db.models.functions import Length
from django.db.models.lookups import LessThanOrEqual

# The highest position of a row among the others of its character: the largest small integer.
MOST_POSITION = 32_767


def between(field: str, least: int, most: int, name: str) -> CheckConstraint:
    """The number is between `least` and `most`, or null."""
    return CheckConstraint(condition=Q(**{f"{field}__gte": least, f"{field}__lte": most}), name=name)


def placed(name: str) -> CheckConstraint:
    return between("position", 0, MOST_POSITION, name)


def one_persons(name: str) -> CheckConstraint:
    """The row is an account's or a guest's, never both or nobody's."""
    return CheckConstraint(condition=Q(user__isnull=False, guest="") | (Q(user__isnull=True) & ~Q(guest="")), name=name)


def texts_at_most(name: str, /, **most: int) -> CheckConstraint:
    """The texts have at most so many characters. Repeats each `max_length`, which Meta cannot read."""
    return CheckConstraint(
        condition=Q(*[LessThanOrEqual(Length(field), length) for field, length in most.items()]), name=name
    )
