"""What people type into a number: `-7` and `+5` move it, `12` sets it."""

from dataclasses import dataclass

from characters.journal import Refused

MOST = 100_000
SIGNS = {"-": -1, "−": -1, "–": -1, "+": 1}


@dataclass(frozen=True, slots=True)
class Typed:
    """Exactly one of the two: how far the number moves, or what it becomes."""

    by: int | None = None
    to: int | None = None


def typed(text, field="amount") -> Typed:
    """Read what was typed; Refused with a sentence when it is no such amount."""
    if not isinstance(text, str) or len(text) > 20:
        raise Refused("Type an amount such as -7, +5 or 12.", field)
    text = text.strip()
    sign = SIGNS.get(text[:1])
    digits = text[1:].strip() if sign else text
    if not digits or not digits.isascii() or not digits.isdigit():
        raise Refused("Type an amount such as -7, +5 or 12.", field)
    if int(digits) > MOST:
        raise Refused(f"That is more than {MOST:,}, the most at once.", field)
    if sign and not int(digits):
        raise Refused("That would change nothing.", field)
    return Typed(by=sign * int(digits)) if sign else Typed(to=int(digits))
