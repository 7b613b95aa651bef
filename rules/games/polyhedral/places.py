"""The places where items may be, and the items that must make room: two hands, one suit of armor, one shield (section
19)."""

from collections.abc import Iterator, Sequence

from rules.engine.build import HANDS, PLACES, Item
from rules.engine.bundle import Bundle
from rules.engine.content import Element

BODY = "body"
AMMUNITION, RELOAD, FIREARM = "property:ammunition", "property:reload", "property:firearm"


def unfit(element: Element | None, place: str) -> str:
    """The reason why an item cannot go there, as a sentence; "" if it can. `element` is None for an item in the
    player's own words."""
    if element is None:
        return ""
    if place == "worn" and not element.armor and element.kind != "gear":
        return f"{element.name} is held, not worn." if element.weapon else f"{element.name} cannot be worn."
    if place in HANDS and element.armor:
        return f"{element.name} is worn, not held."
    if place in HANDS and element.weapon and not element.weapon.hands:
        return f"{element.name} needs no hand."
    if place in ("main", "off") and element.weapon and element.weapon.hands > 1:
        return f"{element.name} needs both hands."
    return ""


def takes(element: Element | None, place: str) -> frozenset[str]:
    """The hands, or the body, that an item takes up there. A worn shield takes the off hand. A bow, crossbow or sling
    needs the other hand free for loading (ruling 61)."""
    if place == "worn" and element and element.armor:
        return frozenset({"off"} if element.armor.hands else {BODY})
    if place in HANDS and element and loaded_each_time(element):
        return HANDS["two-hands"]
    return HANDS.get(place, frozenset())


def loaded_each_time(element: Element) -> bool:
    has = {use.property for use in element.properties}
    return AMMUNITION in has and has.isdisjoint({RELOAD, FIREARM})


def in_the_way(element: Element | None, place: str, other: Element | None, other_place: str) -> bool:
    """True if the other item, where it is, must make room for one that goes to `place`."""
    return bool(takes(element, place) & takes(other, other_place))


def offered(element: Element | None) -> tuple[str, ...]:
    """The places worth offering for an item, in the order of a sheet: both hands only for a weapon."""
    is_weapon = element is not None and element.weapon is not None
    return tuple(place for place in PLACES if not unfit(element, place) and (is_weapon or place != "two-hands"))


def of_use(element: Element | None) -> tuple[str, ...]:
    """The places where an item serves its purpose, the best first; empty for an item that is only carried."""
    if element and element.armor:
        return ("worn",)
    if element and element.weapon and element.weapon.hands:
        return ("two-hands",) if element.weapon.hands > 1 else ("main", "off")
    return ()


def unused(bundle: Bundle, items: Sequence[Item]) -> Iterator[Item]:
    """The armor and weapons that are carried or stowed while nothing of the same kind is in use."""
    used = {item.ref for item in items if item.state in of_use(bundle.elements.get(item.ref))}
    for item in items:
        useful = item.ref not in used and of_use(bundle.elements.get(item.ref))
        if useful and item.state in ("carried", "stowed"):
            yield item


def clashes(bundle: Bundle, items: Sequence[Item]) -> Iterator[tuple[int, str]]:
    """The problems in a list of items: the number of the item, and a sentence."""
    before: list[tuple[frozenset[str], Item]] = []  # earlier items, with what they take up
    for at, item in enumerate(items):
        element = bundle.elements.get(item.ref)
        if why_not := unfit(element, item.state):
            yield at, why_not
            continue
        if item.quantity > 1 and element and element.armor and item.state == "worn":
            yield at, f"Only one {element.name} can be worn."
        taken = takes(element, item.state)
        if not taken:
            continue
        other = next((one for full, one in before if full & taken), None)
        if other is not None:
            yield at, _clash(_name(bundle, item), _name(bundle, other), taken)
        before.append((taken, item))


def _clash(name: str, other: str, taken: frozenset[str]) -> str:
    if BODY in taken:
        return f"{name} does not fit over other armor: {other} is worn."
    return f"There is no free hand for {name}: {other} is in it."


def _name(bundle: Bundle, item: Item) -> str:
    return item.custom or bundle.called(item.ref)
