"""The numbers of rolls, each an element of its own: a condition moves all of them and nothing around them."""

from functools import lru_cache
from typing import NamedTuple

from characters.figures import of_stat, plain, pool, signed
from rules.engine.content import Stat
from rules.engine.sheet import Roll, make


class Number(NamedTuple):
    """Drawn where it stands, and alone where only it has moved. All of it is made of keys and figures."""

    id: str
    text: str

    def __html__(self) -> str:
        return f'<b class="number" id="{self.id}">{self.text}</b>'


@lru_cache(4096)
def sent(number: Number) -> str:
    """Alone, for htmx."""
    return f'<hx-partial hx-target="#{number.id}" hx-swap="outerMorph">{number.__html__()}</hx-partial>'


class Numbers(NamedTuple):
    dice: Number
    modifier: Number
    passive: Number


COLUMNS = {"dice": "{}D".format, "modifier": signed, "passive": plain}


def apart(roll: Roll) -> Numbers:
    """Dice, modifier and passive total in columns of their own."""
    return Numbers(*[column(roll.key, field, getattr(roll, field)) for field in Numbers._fields])


# Few different ones stand on all sheets, and a condition moves most of a sheet's.
@lru_cache(4096)
def column(key: str, field: str, value: int) -> Number:
    return Number(id_of(key, field), COLUMNS[field](value))


@lru_cache(4096)
def id_of(key: str, column: str) -> str:
    return f"{key.replace('.', '-')}-{column}"


def together(roll: Roll) -> Number:
    """Dice and modifier as the rules write them."""
    return make(Number, (id_of(roll.key, "pool"), pool(roll.dice, roll.modifier)))


def to_hit(attack) -> Number:
    return Number(f"attack-{attack.thing}-{attack.grip}-pool", pool(attack.roll.dice, attack.roll.modifier))


def listed(stat: Stat, value: int) -> Number:
    """A statistic among those without a place of their own."""
    return make(Number, (id_of(stat.key, "value"), of_stat(stat, value)))


def moved(was, now, of) -> list[Number] | None:
    """Of two states of a list on the sheet, the numbers that differ; None where something around them does too.

    `of` answers the same for two states of one row.
    """
    if len(was) != len(now):
        return None
    found: list[Number] = []
    for before, after in zip(was, now, strict=True):
        alone = [] if before is after else of(before, after)
        if alone is None:
            return None
        found += alone
    return found


def of_listed(before, after) -> list[Number] | None:
    if before[0] is not after[0]:
        return None
    return [listed(*after)] if before != after else []


def of_check(before, after) -> list[Number] | None:
    old, new = before.roll, after.roll
    if before.ability != after.ability or old.situations != new.situations or not stands_around(old, new):
        return None
    found = []  # no loop over their names: every check of a sheet comes here
    if old.dice != new.dice and not new.fails:  # what fails has no dice on the page
        found.append(column(new.key, "dice", new.dice))
    if old.modifier != new.modifier and not new.fails:
        found.append(column(new.key, "modifier", new.modifier))
    if old.passive != new.passive:
        found.append(column(new.key, "passive", new.passive))
    return found


def of_ability(before, after) -> list[Number] | None:
    if (before.ref, before.rank, before.modifier) != (after.ref, after.rank, after.modifier):
        return None
    pairs = ((before.check, after.check), (before.save, after.save))
    if not all(old and new and stands_around(old, new) for old, new in pairs):
        return None
    if before.save.situations != after.save.situations:
        return None
    return [together(new) for old, new in pairs if pool_moved(old, new)]


def of_attack(before, after) -> list[Number] | None:
    old, new = before.attack, after.attack
    same = (before.type, before.distance, before.properties, before.situations)
    if same != (after.type, after.distance, after.properties, after.situations) or not stands_around(
        old.roll, new.roll
    ):
        return None
    if (old.grip, old.item_key, old.damage, old.attacks) != (new.grip, new.item_key, new.damage, new.attacks):
        return None
    return [to_hit(new)] if pool_moved(old.roll, new.roll) else []


def pool_moved(old: Roll, new: Roll) -> bool:
    return not new.fails and (old.dice, old.modifier) != (new.dice, new.modifier)


def stands_around(old: Roll, new: Roll) -> bool:
    return old.key == new.key and old.proficient is new.proficient and old.fails is new.fails
