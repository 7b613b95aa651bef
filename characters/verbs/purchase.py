from characters.actions.things import carry, counted, put_to_use, where
from characters.change.journal import Draft, Refused, perform
from characters.change.text_input import who, whole
from characters.models import Change
from characters.people import Person
from rules.engine import derive


def purchase(pk: int, person: Person, key: str, *, ref: str, quantity: int = 1, overspend: bool = True) -> Change:
    """Buy something as the game's rules on wealth allow, and wear or hold it where a place for it is free.

    Buying beyond one's means costs what the rules say, and the sentence says so.

    Without `overspend` such a purchase is refused instead.
    """
    whole(quantity, least=1, most=1_000, field="quantity")

    def act(draft: Draft) -> str:
        build = draft.build
        bundle = draft.bundle
        element = bundle.elements.get(ref)
        if element is None or not element.cost_class:
            raise Refused("That is not for sale.", "ref")
        offer = bundle.game.wealth.offer(bundle, build, derive(bundle, build), element, quantity)
        if not offer.allowed or (offer.spends and not overspend):
            raise Refused(offer.sentence, "ref")
        place = put_to_use(draft, bundle, carry(draft, bundle, ref, "", quantity))
        for resource, amount in offer.spends.items():
            draft.add(f"spent:{resource}", amount)
        bought = f"{who(draft)} buys {counted(quantity, element.name)}{f', now {where(place)}' if place else ''}."
        return f"{bought} {offer.sentence}".strip()

    return perform(pk, person, "purchase", key, {"ref": ref, "quantity": quantity, "overspend": overspend}, act)
