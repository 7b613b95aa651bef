"""Dice as people write them, `3D+2`, `1d8-1` or `d8`, for the rolls of creatures, which have no sheet."""

import re
from dataclasses import dataclass
from random import Random

from .outcome import NotAllowed

MOST_DICE, MOST_SIDES, MOST_MODIFIER = 40, 100, 1_000
WRITTEN = re.compile(r"(?=\d|[dD]\s*\d)(\d{0,3})\s*[dD]\s*(\d{0,3})\s*(?:([+−-])\s*(\d{1,4}))?", re.ASCII)
HOW = "Write dice as 3D, 3D+2 or 1d8−1."


@dataclass(frozen=True, slots=True)
class Dice:
    number: int
    die: int
    modifier: int = 0

    def __str__(self) -> str:
        more = f"{'−' if self.modifier < 0 else '+'}{abs(self.modifier)}" if self.modifier else ""
        return f"{self.number}d{self.die}{more}"

    def thrown(self, chance: Random) -> tuple[int, ...]:
        return tuple(chance.randint(1, self.die) for _ in range(self.number))


def read_dice(text: str, die: int) -> Dice:
    """The dice in this text. `die` is the number of faces if none is written. Raises NotAllowed for anything else."""
    found = WRITTEN.fullmatch(text.strip())
    if found is None:
        raise NotAllowed(HOW, "dice")
    number, faces, sign, modifier = found.groups()
    dice = Dice(int(number or 1), int(faces or die), int(modifier or 0) * (-1 if sign in ("-", "−") else 1))
    if not 1 <= dice.number <= MOST_DICE or not 2 <= dice.die <= MOST_SIDES or abs(dice.modifier) > MOST_MODIFIER:
        raise NotAllowed(f"At most {MOST_DICE} dice of {MOST_SIDES} faces, and {MOST_MODIFIER:,} more.", "dice")
    return dice


def read_rolls(text: str, die: int, example: str) -> tuple[tuple[str, str, Dice], ...]:
    """The rolls in this text, one per line, such as `Bite 3D`: name, dice as written, and dice. Raises NotAllowed, with
    the example in its sentence."""
    return tuple(_roll(line, die, example) for line in text.splitlines() if line.strip())


def _roll(line: str, die: int, example: str) -> tuple[str, str, Dice]:
    found = re.fullmatch(rf"\s*(.*?\S)\s+({WRITTEN.pattern})\s*", line)
    if found is None:
        raise NotAllowed(f"“{line.strip()[:60]}”: write a name and then its dice, such as {example}.", "rolls")
    return found[1], found[2], read_dice(found[2], die)
