from characters.journal import Refused
from characters.words import whole

from .amounts import MOST
from .table import play

MOST_TYPES = 20


def take_damage(pk, person, key, *, amounts, firearm=False, critical=False, near=False):
    """One hit: `amounts` are pairs of a number and a damage type's slug, "" for none.

    Resistances, the wound threshold, firearms, dying and death by section 28; `near` is a hit from within 5 ft.
    """
    amounts = [(whole(amount, least=0, most=MOST, field="amount"), kind) for amount, kind in amounts]
    if not amounts or len(amounts) > MOST_TYPES:
        raise Refused("Say how much damage it is.", "amount")
    if not all(isinstance(kind, str) for _, kind in amounts):
        raise Refused("There is no such type of damage.", "type")
    how = {"firearm": bool(firearm), "critical": bool(critical), "near": bool(near)}
    return play(pk, person, key, "take_damage", lambda t: t.game.hit(*t.rules, amounts, **how), amounts=amounts, **how)


def heal(pk, person, key, *, amount):
    """Healing from any source: halved while wounded, and it wakes the dying (rulings 80 and 81)."""
    whole(amount, least=1, most=MOST, field="amount")
    return play(pk, person, key, "heal", lambda t: t.game.cured(t.build, t.sheet, amount), amount=amount)


def stabilize(pk, person, key, *, medic=False):
    """Somebody has passed the check, or used a healing kit: no more death saves; a Medic brings 1 health."""
    return play(
        pk, person, key, "stabilize", lambda t: t.game.steadied(t.build, t.sheet, medic=bool(medic)), medic=bool(medic)
    )
