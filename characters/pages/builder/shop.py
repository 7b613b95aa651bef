"""The character's things and those for sale: each with its price class and the changes it would bring."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.urls import reverse
from django.utils.html import format_html

from characters.access import is_seated
from characters.actions.carrying import with_quantity
from characters.pages.element_sign import drawn
from characters.verbs.purchase import outfit
from rules.engine import Item, derive, difference
from rules.engine.build import PLACES
from rules.engine.content import Element

from .builder_character import BuilderCharacter
from .diff_text import DiffText, diff_texts
from .step_refusal import StepRefusal

NEW = "new"  # the key of a thing that is tried on and not bought


@dataclass(frozen=True)
class CarriedThing:
    """One carried thing. `places` are those it may be in: word, label, and whether it is there now."""

    key: str
    name: str
    quantity: int
    places: tuple[tuple[str, str, bool], ...]
    tags: tuple[str, ...] = ()


@dataclass(frozen=True)
class Ware:
    """One thing on a shelf. `sentence` says by how much buying it lowers Resources, or why it cannot be bought."""

    ref: str
    id: str
    name: str
    price: str
    tags: tuple[str, ...]
    summary: str
    allowed: bool
    overspends: bool
    sentence: str
    moves: tuple[DiffText, ...]
    owned: int


def context(opened: BuilderCharacter, refusal: StepRefusal, query: Mapping[str, str]) -> dict[str, Any]:
    shelves = _shelves(opened)
    wanted = refusal.posted.get("shelf") or query.get("shelf", "")
    current = wanted if wanted in shelves else next(iter(shelves), "")
    things = [_thing(opened, item) for item in opened.build.items]
    wares = [_ware(opened, element) for element in shelves[current][1]] if current else []
    # Without any means, every ware would show the same sentence: the page says it once, above them.
    no_means = not any(ware.allowed for ware in wares) and len({ware.sentence for ware in wares}) == 1
    return {
        "places": {"shop", "things", "own-thing", *(f"thing-{one.key}" for one in things), *(one.id for one in wares)},
        "given": [
            (opened.bundle.elements[ref].name, quantity, ", ".join(path))
            for ref, quantity, path in opened.sheet.belongings
        ],
        "has_backgrounds": bool(opened.bundle.of_kind("background")),
        "things": things,
        "outfit": _outfit(opened),
        "outfit_url": reverse("characters:outfit", args=[opened.character.pk]),
        "wealth": opened.steps.means(opened.sheet),
        "no_means": no_means,
        "shelves": [(slug, name, slug == current) for slug, (name, _) in shelves.items()],
        "shelf": current,
        "wares": wares,
        "at_table": "pool" in opened.game.pages and is_seated(opened.character),
        "buy_url": reverse("characters:buy", args=[opened.character.pk]),
        "item_url": reverse("characters:item", args=[opened.character.pk]),
        "quantity_typed": refusal.posted.get("quantity", ""),
        "bought_typed": refusal.posted.get("bought", ""),
        "custom_typed": refusal.posted.get("custom", ""),
        "shop_error": refusal.sentence,
        "shop_error_at": refusal.anchor,
        "shop_wrong": refusal.field,
    }


def _outfit(opened: BuilderCharacter) -> dict[str, Any] | None:
    """Suggested first equipment, with all changes that it would bring in use; None if the character has things."""
    items = outfit(opened.character.pk, opened.bundle, opened.build, opened.sheet)
    if not items:
        return None
    moves = difference(opened.sheet, derive(opened.bundle, replace(opened.build, items=items)))
    return {
        "names": [with_quantity(opened.bundle.elements[item.ref].name, item.quantity) for item in items],
        "refs": [item.ref for item in items],
        "moves": diff_texts(opened.bundle, opened.steps, moves),
    }


def _shelves(opened: BuilderCharacter) -> dict[str, tuple[str, list[Element]]]:
    """Everything for sale: armor and weapons by their category, the rest together."""
    shelves: dict[str, tuple[str, list[Element]]] = {}
    for element in opened.game.wealth.for_sale(opened.bundle):
        slug, name = ("armor", "Armor") if element.armor else ("gear", "Gear and tools")
        if category := element.weapon and opened.bundle.elements.get(element.weapon.category):
            slug, name = category.slug, category.name
        shelves.setdefault(slug, (name, []))[1].append(element)
    return shelves


def _thing(opened: BuilderCharacter, item: Item) -> CarriedThing:
    element = opened.bundle.elements.get(item.ref)
    offered = opened.game.places.offered(element)
    places = tuple((word, PLACES[word], word == item.state) for word in offered)
    name = item.custom or opened.bundle.called(item.ref)
    return CarriedThing(item.key, name, item.quantity, places, tags(opened, element) if element else ())


def tags(opened: BuilderCharacter, element: Element) -> tuple[str, ...]:
    """The printed line of a thing: damage, group, properties."""
    found = []
    if element.weapon:
        damage = opened.bundle.elements[element.weapon.damage_type]
        dice = f"{element.weapon.dice}d{element.weapon.die}"
        found.append(format_html("{} {} {}", dice, drawn(opened.bundle, damage), damage.name.lower()))
    if element.armor:
        found.append(opened.bundle.elements[element.armor.category].name)
    for use in element.properties:
        label = opened.bundle.elements[use.property]
        details = use.details()
        if element.weapon or label.effects:  # the rules print a property of armor that does nothing
            found.append(f"{label.name} ({details})" if details else label.name)
    return tuple(found)


def _ware(opened: BuilderCharacter, element: Element) -> Ware:
    offer = opened.game.wealth.offer(opened.bundle, opened.build, opened.sheet, element)
    used = any(
        item.ref == element.ref and item.state in opened.game.places.of_use(element) for item in opened.build.items
    )
    after = opened.sheet if used else derive(opened.bundle, replace(opened.build, items=in_use(opened, element)))
    return Ware(
        ref=element.ref,
        id=element.ref.replace(":", "-"),
        name=element.name,
        price=opened.game.wealth.CLASSES[element.cost_class],
        tags=tags(opened, element),
        summary=element.summary,
        allowed=offer.allowed,
        overspends=bool(offer.spends),
        sentence=offer.sentence,
        moves=diff_texts(opened.bundle, opened.steps, difference(opened.sheet, after))[:4],
        owned=sum(item.quantity for item in opened.build.items if item.ref == element.ref),
    )


def in_use(opened: BuilderCharacter, element: Element) -> tuple[Item, ...]:
    """The character's items with one more of this element, worn or in hand; the things in its way are put away."""
    in_the_way = opened.game.places.in_the_way
    place = next(iter(opened.game.places.of_use(element)), "carried")
    kept = [
        replace(item, state="carried")
        if in_the_way(element, place, opened.bundle.elements.get(item.ref), item.state)
        else item
        for item in opened.build.items
    ]
    return (*kept, Item(ref=element.ref, state=place, key=NEW))
