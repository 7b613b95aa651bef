"""What the character has, and what may be bought: each thing with its price class and what it would change."""

from dataclasses import dataclass, replace

from django.urls import reverse
from django.utils.html import format_html

from characters.pages.signs import drawn
from rules.engine import Item, derive, difference
from rules.engine.build import PLACES
from rules.engine.content import Element

from .desk import Desk
from .diff_text import Said, said

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
    for element in desk.game.wealth.for_sale(desk.bundle):
        slug, name = ("armor", "Armor") if element.armor else ("gear", "Gear and tools")
        if category := element.weapon and desk.bundle.elements.get(element.weapon.category):
            slug, name = category.slug, category.name
        shelves.setdefault(slug, (name, []))[1].append(element)
    return shelves


def _thing(desk: Desk, item: Item) -> Thing:
    element = desk.bundle.elements.get(item.ref)
    offered = desk.game.places.offered(element)
    places = tuple((word, PLACES[word], word == item.state) for word in offered)
    name = element.name if element else item.custom
    return Thing(item.key, name, item.quantity, places, tags(desk, element) if element else ())


def tags(desk: Desk, element: Element) -> tuple[str, ...]:
    """What is printed on it: damage, group, properties."""
    found = []
    if element.weapon:
        damage = desk.bundle.elements[element.weapon.damage_type]
        dice = f"{element.weapon.dice}d{element.weapon.die}"
        found.append(format_html("{} {} {}", dice, drawn(desk.bundle, damage), damage.name.lower()))
    if element.armor:
        found.append(desk.bundle.elements[element.armor.category].name)
    for use in element.properties:
        numbers = use.note or "/".join(str(number) for number in (use.a, use.b) if number is not None)
        name = desk.bundle.elements[use.property].name
        found.append(f"{name} ({numbers})" if numbers else name)
    return tuple(found)


def _ware(desk: Desk, element: Element) -> Ware:
    offer = desk.game.wealth.offer(desk.bundle, desk.build, desk.sheet, element)
    after = derive(desk.bundle, replace(desk.build, items=in_use(desk, element)))
    return Ware(
        ref=element.ref,
        id=element.ref.replace(":", "-"),
        name=element.name,
        price=desk.game.wealth.CLASSES[element.cost_class],
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
    in_the_way = desk.game.places.in_the_way
    place = next(iter(desk.game.places.of_use(element)), "carried")
    kept = [
        replace(item, state="carried")
        if in_the_way(element, place, desk.bundle.elements.get(item.ref), item.state)
        else item
        for item in desk.build.items
    ]
    return (*kept, Item(ref=element.ref, state=place, key=NEW))
