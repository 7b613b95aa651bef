"""A name for a new row that no other row has."""

from collections.abc import Collection
from itertools import count


def free_slug(first: str, taken: Collection[str], most: int) -> str:
    """`first` or, if that is `taken`, `first` with the lowest free number from 2 on; never longer than `most`
    characters."""
    ends = ("" if number == 1 else f"-{number}" for number in count(1))
    return next(one for end in ends if (one := f"{first[: most - len(end)]}{end}") not in taken)
