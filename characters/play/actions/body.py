"""Health, wounds and every other counter, dying, conditions and circumstances."""

from characters.play.fields import asked_how, faces, how_fields, maybe, number, word
from characters.verbs import play

from .registry import action


@action("vitals", "action", action=word(80), faces=faces(), whom=maybe(500))
def use(pk, person, key, *, action, faces, whom):
    return play.use(pk, person, key, action=action, faces=faces, whom=whom)


@action("down", **how_fields())
def death_save(pk, person, key, **how):
    return play.death_save(pk, person, key, **asked_how(how))


@action("down")
def cheat_death(pk, person, key):
    return play.cheat_death(pk, person, key)


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


# The turn.


@action("turn")
def next_round(pk, person, key):
    return play.next_round(pk, person, key)
