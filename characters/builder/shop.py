"""What the character has, and what may be bought: each thing with its price class and what it would change."""

from dataclasses import dataclass, replace

from django.urls import reverse

from rules.engine import Item, derive, difference
from rules.engine.build import HANDS, PLACES
from rules.engine.content import Element

from .desk import Desk
from .moves import Said, said

NEW = "new"  # the key of a thing that is only looked at


@dataclass(frozen=True)
class Thing:
    """One row of what is carried. `places` are where it may go: word, label, whether it is there now."""

    key: str
    name: str
    quantity: int
    places: tuple[tuple[str, str, bool], ...]
    tags: tuple[str, ...] = ()


@dataclass(frozen=True)
class Ware:
    """One thing on a shelf. `sentence` says what buying it costs beyond one's means, or why it cannot be bought."""

    ref: str
    id: str
    name: str
    price: str
    tags: tuple[str, ...]
    summary: str
    allowed: bool
    overspends: bool
    sentence: str
    moves: tuple[Said, ...]
    owned: int


def context(desk: Desk, refusal, query) -> dict:
    shelves = _shelves(desk)
    wanted = (refusal.typed.get("shelf") if refusal else "") or query.get("shelf")
    current = wanted if wanted in shelves else next(iter(shelves), "")
    things = [_thing(desk, item) for item in desk.build.items]
    wares = [_ware(desk, element) for element in shelves[current][1]] if current else []
    return {
        "places": {"shop", "things", "own-thing", *(f"thing-{one.key}" for one in things), *(one.id for one in wares)},
        "given": [
            (desk.bundle.elements[ref].name, quantity, ", ".join(path)) for ref, quantity, path in desk.sheet.belongings
        ],
        "things": things,
        "wealth": desk.steps.means(desk.sheet),
        "shelves": [(slug, name, slug == current) for slug, (name, _) in shelves.items()],
        "shelf": current,
        "wares": wares,
        "buy_url": reverse("characters:buy", args=[desk.character.pk]),
        "item_url": reverse("characters:item", args=[desk.character.pk]),
        "quantity_typed": refusal.typed.get("quantity", "") if refusal else "",
        "bought_typed": refusal.typed.get("bought", "") if refusal else "",
        "custom_typed": refusal.typed.get("custom", "") if refusal else "",
        "shop_error": refusal.sentence if refusal else "",
        "shop_error_at": refusal.where if refusal else "",
        "shop_wrong": refusal.wrong if refusal else "",
    }


def _shelves(desk: Desk) -> dict[str, tuple[str, list[Element]]]:
    """Everything for sale: armor and weapons by their category, the rest together."""
    shelves: dict[str, tuple[str, list[Element]]] = {}
    for element in desk.system.wealth.for_sale(desk.bundle):
        slug, name = ("armor", "Armor") if element.armor else ("gear", "Gear and tools")
        if category := element.weapon and desk.bundle.elements.get(element.weapon.category):
            slug, name = category.slug, category.name
        shelves.setdefault(slug, (name, []))[1].append(element)
    return shelves


def _thing(desk: Desk, item: Item) -> Thing:
    element = desk.bundle.elements.get(item.ref)
    places = tuple((word, label, word == item.state) for word, label in PLACES.items() if fits(element, word))
    name = element.name if element else item.custom
    return Thing(item.key, name, item.quantity, places, tags(desk, element) if element else ())


def fits(element: Element | None, place: str) -> bool:
    """Whether the page offers this place for it; the verb has the last word."""
    if place in ("carried", "stowed"):
        return True
    if element is None or not (element.weapon or element.armor):
        return place == "worn" and (element is None or element.kind == "gear")
    if element.armor:
        return place == "worn"
    return place == "two-hands" if element.weapon.hands > 1 else place in HANDS


def tags(desk: Desk, element: Element) -> tuple[str, ...]:
    """What is printed on it: damage, group, properties."""
    found = []
    if element.weapon:
        damage = desk.bundle.elements[element.weapon.damage_type].name.lower()
        found.append(f"{element.weapon.dice}d{element.weapon.die} {damage}")
    if element.armor:
        found.append(desk.bundle.elements[element.armor.category].name)
    for use in element.properties:
        numbers = use.note or "/".join(str(number) for number in (use.a, use.b) if number is not None)
        name = desk.bundle.elements[use.property].name
        found.append(f"{name} ({numbers})" if numbers else name)
    return tuple(found)


def _ware(desk: Desk, element: Element) -> Ware:
    offer = desk.system.wealth.offer(desk.bundle, desk.build, desk.sheet, element)
    after = derive(desk.bundle, replace(desk.build, items=in_use(desk, element)))
    return Ware(
        ref=element.ref,
        id=element.ref.replace(":", "-"),
        name=element.name,
        price=desk.system.wealth.CLASSES[element.cost_class],
        tags=tags(desk, element),
        summary=element.summary,
        allowed=offer.allowed,
        overspends=bool(offer.spends),
        sentence=offer.sentence,
        moves=said(desk.bundle, desk.steps, difference(desk.sheet, after))[:4],
        owned=sum(item.quantity for item in desk.build.items if item.ref == element.ref),
    )


def in_use(desk: Desk, element: Element) -> tuple[Item, ...]:
    """The items as they would be with one more of this worn or in hand, and what was there put away."""
    place = "worn" if element.armor else "carried"
    if element.weapon:
        place = "two-hands" if element.weapon.hands > 1 else "main"
    kept = [
        replace(item, state="carried") if _yields(desk, item, element, place) else item for item in desk.build.items
    ]
    return (*kept, Item(ref=element.ref, state=place, key=NEW))


def _yields(desk: Desk, item: Item, element: Element, place: str) -> bool:
    other = desk.bundle.elements.get(item.ref)
    armor = other.armor if other and item.state == "worn" else None
    if place in HANDS:
        shield = bool(armor and armor.hands) and place == "two-hands"
        return shield or bool(HANDS[place] & HANDS.get(item.state, frozenset()))
    if place == "worn" and element.armor and armor:
        return bool(armor.hands) == bool(element.armor.hands)
    return (
        place == "worn" and bool(element.armor and element.armor.hands) and "off" in HANDS.get(item.state, frozenset())
    )
