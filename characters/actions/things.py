"""Things at the table: carried, moved to a place, counted and removed."""

from characters.change.refusals import Refused
from characters.change.text_input import who
from rules.games.outcome import Outcome, listed
from rules.games.table_action import THINGS, Number, OneOf, RowNumber, TableAction, Text, Word

from .action_context import ActionContext
from .carrying import (
    MOST_PIECES,
    STATES,
    carry,
    element_of,
    find,
    for_one,
    name_of,
    pieces_away,
    put_in_place,
    uses_go_with,
    where,
    with_quantity,
)


def add_item(at: ActionContext, *, ref: str, custom: str, quantity: int) -> Outcome:
    """Carry something more: content by its ref, or anything in the player's own words. It joins a pile of the same
    thing."""
    if not ref and not custom:
        raise Refused("Choose something from the list, or write it.", "custom")
    if ref and custom:
        raise Refused("Choose it from the list or write it, not both: empty one of the two.", "custom")
    carry(at.draft, ref, custom, quantity)
    return Outcome(f"{who(at.draft)} gets {with_quantity(custom or at.bundle.elements[ref].name, quantity)}.")


def remove_item(at: ActionContext, *, item: int) -> Outcome:
    value = find(at.draft, item)
    at.draft.put(f"item:{item}", None)
    uses_go_with(at.draft, element_of(at.draft, value))
    return Outcome(f"{who(at.draft)} removes {with_quantity(name_of(at.draft, value), value['quantity'])}.")


def set_quantity(at: ActionContext, *, item: int, quantity: int) -> Outcome:
    draft, value = at.draft, find(at.draft, item)
    if quantity > 1 == value["quantity"] and for_one(at.draft, value, value["state"]):
        raise Refused("Put it away before you add more.", "quantity")
    if quantity < (away := pieces_away(draft, f"item:{item}", value)):
        raise Refused(f"{away} of them have been shot or thrown. Gather them first.", "quantity")
    draft.put(f"item:{item}", {**value, "quantity": quantity})
    draft.check_moved("quantity")
    uses_go_with(draft, element_of(draft, value))
    return Outcome(f"{who(draft)} has {with_quantity(name_of(draft, value), quantity)}.")


def equip(at: ActionContext, *, item: int, state: str) -> Outcome:
    """Wear, hold, carry or stow an item. A thing that was in that place is carried from then on."""
    value = find(at.draft, item)
    away = put_in_place(at.draft, f"item:{item}", value, state)
    at.draft.check_moved("state")
    instead = f" Put away: {listed(away)}." if away else ""
    return Outcome(f"{who(at.draft)}: {name_of(at.draft, value)} is now {where(state)}.{instead}")


NO_ITEM = RowNumber("The character does not have that thing.")
MANY = "Enter a whole number."
WHERE = "Choose where it goes: worn, a hand, both hands, carried or stowed."
ACTIONS = (
    TableAction(
        "add_item",
        add_item,
        THINGS,
        "equipment",
        {"ref": Word(), "custom": Text(120), "quantity": Number(1, MOST_PIECES, otherwise=1)},
        form="add-thing",
    ),
    TableAction("remove_item", remove_item, THINGS, "equipment", {"item": NO_ITEM}, form="thing", by=("item",)),
    TableAction(
        "set_quantity",
        set_quantity,
        THINGS,
        "equipment",
        {"item": NO_ITEM, "quantity": Number(1, MOST_PIECES, empty=MANY)},
        form="thing",
        by=("item",),
    ),
    TableAction(
        "equip",
        equip,
        THINGS,
        "equipment",
        {"item": NO_ITEM, "state": OneOf(tuple(STATES), WHERE)},
        form="thing",
        by=("item",),
    ),
)
