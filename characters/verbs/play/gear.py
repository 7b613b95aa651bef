"""What is used up at the table: shots and pieces thrown (sections 17 and 19, rulings 50, 60, 63 and 67)."""

from characters.verbs.items import carry, counted
from characters.words import whole
from rules.games.outcome import NotAllowed, Outcome, name_of

from .table import play


def reload(pk, person, key, *, item):
    """Fill a weapon that holds several shots (ruling 60)."""
    return play(pk, person, key, "reload", lambda t: t.game.reloaded(t.bundle, t.build, str(item)), item=str(item))


def gather_ammunition(pk, person, key, *, search=True):
    """After a battle: ten minutes of searching find half of what was shot or thrown, else it is gone (ruling 63)."""

    def happen(table):
        outcome, lost = table.game.gathered(table.bundle, table.build, searched=bool(search))
        for item, pieces in lost.items():
            value = table.draft.read(f"item:{item}")
            left = value["quantity"] - pieces
            table.draft.put(f"item:{item}", {**value, "quantity": left} if left else None)
        return outcome

    return play(pk, person, key, "gather_ammunition", happen, search=bool(search))


def purchase_together(pk, person, key, *, ref, ranks, quantity=1):
    """Buy with others of the same lifestyle, whose Resources ranks are entered; it costs nobody a rank (ruling 67)."""
    whole(quantity, least=1, most=1_000, field="quantity")
    ranks = [whole(rank, least=0, most=10, field="ranks") for rank in ranks]

    def happen(table):
        element = table.bundle.elements.get(ref)
        if element is None or not element.cost_class:
            raise NotAllowed("That is not for sale.", "ref")
        sentence = table.game.pooled_offer(table.sheet, element, ranks)
        carry(table.draft, table.bundle, ref, "", quantity)
        return Outcome(
            f"{name_of(table.build)} buys {counted(quantity, element.name)} together with others. {sentence}"
        )

    return play(pk, person, key, "purchase_together", happen, ref=ref, ranks=ranks, quantity=quantity)
