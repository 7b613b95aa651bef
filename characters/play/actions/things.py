"""Things: where they are, how many, what was shot, what is bought with others."""

from characters import verbs
from characters.play.fields import (
    MOST_TEXT,
    maybe,
    number,
    others_ranks,
    row,
    word,
)
from characters.verbs import play

from .registry import action


@action("equipment", "item", item=row(), state=maybe(20), quantity=number(), do=maybe(20))
def thing(pk, person, key, *, item, state, quantity, do):
    if do == "drop":
        return verbs.remove_item(pk, person, key, item=item)
    if do == "reload":
        return play.reload(pk, person, key, item=item)
    if state:
        return verbs.equip(pk, person, key, item=item, state=state)
    return verbs.set_quantity(pk, person, key, item=item, quantity=quantity)


@action("equipment", custom=word(MOST_TEXT), quantity=number())
def add_thing(pk, person, key, *, custom, quantity):
    return verbs.add_item(pk, person, key, custom=custom, quantity=1 if quantity is None else quantity)


@action("equipment", search=word(5))
def gather(pk, person, key, *, search):
    return play.gather_ammunition(pk, person, key, search=search == "yes")


@action("equipment", ref=word(), ranks=others_ranks(), quantity=number())
def buy_together(pk, person, key, *, ref, ranks, quantity):
    return play.purchase_together(pk, person, key, ref=ref, ranks=ranks, quantity=1 if quantity is None else quantity)
