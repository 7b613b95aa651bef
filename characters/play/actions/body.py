"""Health, wounds and every other counter, dying, conditions and circumstances."""

from characters.journal import Refused
from characters.play.fields import asked_how, faces, how_fields, maybe, number, tick, word
from characters.verbs import play

from .registry import action

AN_AMOUNT = "Type an amount such as 7."


@action(
    "vitals",
    amount=word(20, error_messages={"required": AN_AMOUNT}),
    type=maybe(),
    also=number(least=0),
    also_type=maybe(),
    firearm=tick(),
    critical=tick(),
    near=tick(),
    do=maybe(20),
)
def hit(pk, person, key, *, amount, type, also, also_type, firearm, critical, near, do):
    if do not in ("damage", "heal"):
        return play.adjust(pk, person, key, resource="health", amount=amount)
    signs = "+" if do == "heal" else "-−–"  # as the number moves
    bare = amount.strip()
    bare = bare[1:] if bare[:1] and bare[0] in signs else bare
    if not (bare.isascii() and bare.isdigit() and len(bare) < 8):
        raise Refused(AN_AMOUNT, "amount")
    if do == "heal":
        return play.heal(pk, person, key, amount=int(bare))
    amounts = [(int(bare), type), *([(also, also_type)] if also else [])]
    return play.take_damage(pk, person, key, amounts=amounts, firearm=firearm, critical=critical, near=near)


@action("vitals", "resource", resource=word(80), by=maybe(20), amount=maybe(20))
def adjust(pk, person, key, *, resource, by, amount):
    try:
        return play.adjust(pk, person, key, resource=resource, amount=by or amount)
    except Refused as refused:
        if by and refused.field == "amount":  # a button was pressed: nothing is wrong in the field beside it
            raise Refused(refused.sentence, "by") from refused
        raise


@action("vitals", "action", action=word(80), faces=faces())
def use(pk, person, key, *, action, faces):
    return play.use(pk, person, key, action=action, faces=faces)


@action("down", **how_fields())
def death_save(pk, person, key, **how):
    return play.death_save(pk, person, key, **asked_how(how))


@action("down")
def cheat_death(pk, person, key):
    return play.cheat_death(pk, person, key)


@action("down", medic=tick())
def stabilize(pk, person, key, *, medic):
    return play.stabilize(pk, person, key, medic=medic)


# Conditions and circumstances.


@action("conditions", condition=word(), source=maybe(500), until=maybe(500), rounds=number(least=1), stacks=number())
def add_condition(pk, person, key, *, condition, source, until, rounds, stacks):
    what = {"condition": condition, "source": source, "until": until}
    return play.add_condition(pk, person, key, **what, rounds=rounds or 0, stacks=1 if stacks is None else stacks)


@action("conditions", condition=word(), source=maybe(500))
def remove_condition(pk, person, key, *, condition, source):
    return play.remove_condition(pk, person, key, condition=condition, source=source)


@action("conditions", switch=word())
def toggle(pk, person, key, *, switch):
    """`switch` is `+` or `-` and the circumstance."""
    return play.toggle(pk, person, key, circumstance=switch[1:], on=switch[:1] == "+")


@action("times")
def next_round(pk, person, key):
    return play.next_round(pk, person, key)
