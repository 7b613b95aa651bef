"""The numbers of rolls, each an element of its own: a condition moves all of them and nothing around them."""

from typing import NamedTuple

from characters.figures import plain, pool, signed
from rules.engine.sheet import Roll


class Number(NamedTuple):
    """Drawn where it stands, and alone where only it has moved. All of it is made of keys and figures."""

    id: str
    text: str

    def __html__(self) -> str:
        return f'<b class="number" id="{self.id}">{self.text}</b>'


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


def to_hit(attack) -> Number:
    item = attack.item_key or attack.item
    return Number(f"attack-{item}-{attack.grip}-pool", pool(attack.roll.dice, attack.roll.modifier))


# Of two states of a part of the sheet: the numbers that have moved, or None where something around them has too.


def moved_checks(was, now) -> list[Number] | None:
    if len(was) != len(now):
        return None
    found = []
    for before, after in zip(was, now, strict=True):
        if before is after:
            continue
        old, new = before.roll, after.roll
        if not stands_around(old, new) or before.ability != after.ability or before.situations != after.situations:
            return None
        numbers = apart(new)
        if old.dice != new.dice:
            found.append(numbers.dice)
        if old.modifier != new.modifier:
            found.append(numbers.modifier)
        if old.passive != new.passive:
            found.append(numbers.passive)
    return found


def moved_abilities(was, now) -> list[Number] | None:
    if len(was) != len(now):
        return None
    found = []
    for before, after in zip(was, now, strict=True):
        if before is after:
            continue
        same = (before.ref, before.rank, before.modifier, before.situations)
        if same != (after.ref, after.rank, after.modifier, after.situations):
            return None
        for old, new in ((before.check, after.check), (before.save, after.save)):
            if old is None or new is None or not stands_around(old, new):
                return None
            if (old.dice, old.modifier) != (new.dice, new.modifier):
                found.append(together(new))
    return found


def moved_attacks(was, now) -> list[Number] | None:
    if len(was) != len(now):
        return None
    found = []
    for before, after in zip(was, now, strict=True):
        if before is after:
            continue
        old, new = before.attack, after.attack
        same = (before.distance, before.properties, before.situations, old.name, old.grip, old.item_key, old.damage)
        if same != (after.distance, after.properties, after.situations, new.name, new.grip, new.item_key, new.damage):
            return None
        if (before.type, old.attacks) != (after.type, new.attacks) or not stands_around(old.roll, new.roll):
            return None
        if (old.roll.dice, old.roll.modifier) != (new.roll.dice, new.roll.modifier):
            found.append(to_hit(new))
    return found


def stands_around(old: Roll, new: Roll) -> bool:
    return old[:2] == new[:2] and old.proficient is new.proficient and old.fails is new.fails
