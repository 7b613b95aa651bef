"""The numbers of rolls, each an element of its own: a condition moves all of them and nothing around them."""

from collections.abc import Iterator
from typing import NamedTuple

from django.utils.safestring import SafeString

from characters.figures import plain, pool, signed
from rules.engine.sheet import Roll


class Number(NamedTuple):
    """Drawn where it stands, and alone where only it has moved. All of it is made of keys and figures."""

    id: str
    text: str

    def __html__(self) -> SafeString:
        return SafeString(f'<b class="number" id="{self.id}">{self.text}</b>')


class Numbers(NamedTuple):
    dice: Number
    modifier: Number
    passive: Number


def apart(roll: Roll) -> Numbers:
    """Dice, modifier and passive total in columns of their own."""
    name = roll.key.replace(".", "-")
    return Numbers(
        Number(f"{name}-dice", f"{roll.dice}D"),
        Number(f"{name}-modifier", signed(roll.modifier)),
        Number(f"{name}-passive", plain(roll.passive)),
    )


def together(roll: Roll) -> Number:
    """Dice and modifier as the rules write them."""
    return Number(f"{roll.key.replace('.', '-')}-pool", pool(roll.dice, roll.modifier))


def of_checks(rows) -> Iterator[Number]:
    for row in rows:
        yield from apart(row.roll)


def of_abilities(cells) -> Iterator[Number]:
    for cell in cells:
        yield from (together(roll) for roll in (cell.check, cell.save) if roll)


def around_checks(rows) -> list[tuple]:
    """What stands around the numbers of checks."""
    return [(around(row.roll), row.ability, row.situations) for row in rows]


def around_abilities(cells) -> list[tuple]:
    return [
        (cell.ref, cell.rank, cell.modifier, around(cell.check), around(cell.save), cell.situations) for cell in cells
    ]


def around(roll: Roll | None) -> tuple | None:
    return roll and (roll.key, roll.name, roll.proficient, roll.fails)
