"""The things that a character has: found, carried, moved to a place, put away."""

from typing import Any

from characters.change import fact_address
from characters.change.draft import Draft
from characters.change.refusals import Refused
from characters.models import InventoryItem
from rules.engine.build import HANDS
from rules.engine.content import Element
from rules.engine.phrases import not_offered
from rules.models.vocabulary import Kind

MOST = 200
MOST_PIECES = 100_000  # in one pile
STATES = dict(InventoryItem.State.choices)
CARRIED: set[str] = {Kind.WEAPON, Kind.ARMOR, Kind.GEAR, Kind.TOOL}


def find(draft: Draft, item: int) -> dict[str, Any]:
    value = draft.read(f"item:{item}")
    if value is None:
        raise Refused("The character does not have that thing.", "item")
    return value


def element_of(draft: Draft, value: dict[str, Any]) -> Element | None:
    """The element of a thing; None for a thing in the player's own words, or from rules that are not in play."""
    return draft.bundle.elements.get(value.get("ref", ""))


def carry(draft: Draft, ref: str, custom: str, quantity: int) -> str:
    """Add to a carried pile of the same thing, or else as a new row at the end. Returns the address. Refused for what
    is retired, which only an old page still offers."""
    element = draft.bundle.elements.get(ref)
    if ref and (element is None or element.kind not in CARRIED):
        raise Refused("You cannot carry that.", "ref")
    if element and (gone := not_offered(element)):
        raise Refused(gone, "ref")
    named = {"custom": custom} if custom else {"ref": ref}
    items = draft.all_of("item")
    for address, value in items.items():
        if value == {**value, **named, "state": "carried"} and value["quantity"] + quantity <= MOST_PIECES:
            draft.put(address, {**value, "quantity": value["quantity"] + quantity})
            return address
    if len(items) >= MOST:
        raise Refused(f"At most {MOST} different things: remove one first.", "ref")
    return draft.append("item", {**named, "quantity": quantity, "state": "carried"})


def put_in_place(draft: Draft, address: str, value: dict[str, Any], state: str) -> list[str]:
    """Move a thing to a place if it fits there, and put away the things in the way. Of a pile, only one piece goes into
    a hand or is worn; the rest is carried. Returns the names of the things put away."""
    element, rules = element_of(draft, value), draft.bundle.game.places
    if why_not := rules.unfit(element, state):
        raise Refused(why_not, "state")
    away = {
        other: held
        for other, held in draft.all_of("item").items()
        if other != address and rules.in_the_way(element, state, element_of(draft, held), held["state"])
    }
    if value["quantity"] > 1 and for_one(draft, value, state) and not for_one(draft, value, value["state"]):
        rest = {**value, "quantity": value["quantity"] - 1}
        gone = min(pieces_away(draft, address, value), rest["quantity"])
        draft.put(address, {**value, "quantity": 1, "state": state})
        (pile,) = draft.create("item", [{**rest, "state": "carried"}])
        if gone:  # the piece in hand is one that has not been shot
            draft.add(f"used:{fact_address.name(address)}", -gone)
            draft.add(f"used:{fact_address.name(pile)}", gone)
    elif state in HANDS or state == "worn":
        draft.put(address, {**value, "state": state})
    else:
        carry_or_stow(draft, address, value, state)
    for other, held in away.items():  # last, so that they cannot join the pile that the thing was taken from
        carry_or_stow(draft, other, held, "carried")
    return [name_of(draft, held) for held in away.values()]


def for_one(draft: Draft, value: dict[str, Any], place: str) -> bool:
    """True for a place that holds one of a thing: a hand, or the body for a suit of armor."""
    element = element_of(draft, value)
    return draft.bundle.game.places.in_the_way(element, place, element, place)


def put_to_use(draft: Draft, address: str) -> str:
    """Wear or hold a thing if a place for it is free and none of its kind is in use.

    Returns the place; "" if the thing is only carried.
    """
    rules, value, items = draft.bundle.game.places, draft.read(address), draft.all_of("item").values()
    element = element_of(draft, value)
    places = rules.of_use(element)
    if any(one.get("ref") == value.get("ref") and one["state"] in places for one in items):
        return ""
    others = [(element_of(draft, one), one["state"]) for one in items]
    for place in places:
        if not any(rules.in_the_way(element, place, *other) for other in others):
            put_in_place(draft, address, value, place)
            return place
    return ""


def where(state: str) -> str:
    """A place as a sentence says it: `worn`, `in both hands`, `in the main hand`."""
    if state in ("worn", "carried", "stowed"):
        return state
    return f"in {'both hands' if state == 'two-hands' else 'the ' + STATES[state]}"


def carry_or_stow(draft: Draft, address: str, value: dict[str, Any], state: str) -> None:
    """Carry or stow a thing. It joins a pile of the same thing there, unless pieces of either were shot or thrown."""
    alike = {"state": state} | {key: value[key] for key in ("ref", "custom") if value.get(key)}
    piles = {
        other: held for other, held in draft.all_of("item").items() if other != address and held == {**held, **alike}
    }
    for other, held in piles.items():
        together = held["quantity"] + value["quantity"]
        used = [draft.read(f"used:{fact_address.name(one)}") for one in (address, other)]
        if together <= MOST_PIECES and not any(used):
            draft.put(address, None)
            draft.put(other, {**held, "quantity": together})
            return
    draft.put(address, {**value, "state": state})


def uses_go_with(draft: Draft, element: Element | None) -> None:
    """Reduce the uses spent on a thing when pieces of it leave: used-up pieces leave first."""
    for resource in element.resources if element else ():
        was, now = (version.sheet.resources.get(resource.slug) for version in (draft.before, draft.version))
        fewer = (was.max if was else 0) - (now.max if now else 0)
        if fewer > 0 and (spent := draft.read(f"spent:{resource.slug}")):
            draft.put(f"spent:{resource.slug}", max(0, spent - fewer))


def pieces_away(draft: Draft, address: str, value: dict[str, Any]) -> int:
    """The number of pieces of a pile that have been shot or thrown. 0 for a firearm, which uses up shots but no pieces,
    and for a thing that the rules do not have."""
    element = element_of(draft, value)
    if element is None or draft.bundle.game.play.reloads(element):
        return 0
    return draft.read(f"used:{fact_address.name(address)}")


def name_of(draft: Draft, value: dict[str, Any]) -> str:
    return value.get("custom") or draft.bundle.called(value["ref"])


def with_quantity(name: str, quantity: int) -> str:
    """`Torch`, `3 × Torch`."""
    return name if quantity == 1 else f"{quantity:,} × {name}"
