from collections.abc import Sequence
from random import Random

from characters.actions.carrying import carry, put_to_use, where, with_quantity
from characters.actions.form_values import whole
from characters.change.draft import Draft
from characters.change.journal import perform
from characters.change.refusals import Refused
from characters.change.text_input import who
from characters.models import Change
from characters.people import Person
from rules.engine import Build, Bundle, Item
from rules.engine.content import Ref
from rules.engine.sheet import Sheet


def purchase(pk: int, person: Person, key: str, *, ref: str, quantity: int = 1, overspend: bool = True) -> Change:
    """Buy something as the game's rules on wealth allow, and wear or hold it if a place for it is free.

    Buying beyond the character's means costs what the rules say, and the sentence says so; without `overspend` it is
    refused.
    """
    whole(quantity, least=1, most=1_000, field="quantity")

    def act(draft: Draft) -> str:
        return _buy(draft, ref, quantity, overspend=overspend)

    return perform(pk, person, "purchase", key, {"ref": ref, "quantity": quantity, "overspend": overspend}, act)


def buy_outfit(pk: int, person: Person, key: str, *, saw: Sequence[Ref]) -> Change:
    """Buy and use the whole suggestion of `outfit`; Refused if the suggestion is no longer the one that the player
    saw."""

    def act(draft: Draft) -> str:
        suggested = outfit(pk, draft.bundle, draft.build, draft.before.sheet)
        if not suggested or [item.ref for item in suggested] != list(saw):
            raise Refused("Your character has changed since. Look at what suits it now.", "outfit")
        return " ".join(_buy(draft, item.ref, item.quantity, overspend=False) for item in suggested)

    return perform(pk, person, "buy_outfit", key, {"saw": list(saw)}, act)


def outfit(pk: int, bundle: Bundle, build: Build, sheet: Sheet) -> tuple[Item, ...]:
    """The things that the game suggests to this character, always the same ones; none if it has things already."""
    always_the_same = Random(pk)  # noqa: S311 - nothing is at stake
    return () if build.items else bundle.game.chance.with_outfit(bundle, build, sheet, always_the_same).items


def _buy(draft: Draft, ref: Ref, quantity: int, *, overspend: bool) -> str:
    build, bundle = draft.build, draft.bundle
    element = bundle.elements.get(ref)
    if element is None or not element.cost_class:
        raise Refused("That is not for sale.", "ref")
    offer = bundle.game.wealth.offer(bundle, build, draft.sheet, element, quantity)
    if not offer.allowed or (offer.spends and not overspend):
        raise Refused(offer.sentence, "ref")
    place = put_to_use(draft, carry(draft, ref, "", quantity))
    for resource, amount in offer.spends.items():
        draft.add(f"spent:{resource}", amount)
    bought = f"{who(draft)} buys {with_quantity(element.name, quantity)}{f', now {where(place)}' if place else ''}."
    return f"{bought} {offer.sentence}".strip()
