"""Things for sale, and who can afford them (sections 17 and 20, rulings 65 to 67)."""

from collections.abc import Iterable

from rules.engine.build import Build
from rules.engine.bundle import Bundle
from rules.engine.content import Element
from rules.engine.sheet import Sheet
from rules.games.contract import Offer
from rules.games.house_rules import setting

CLASSES: tuple[str, ...] = ("", "Common", "Uncommon", "Rare", "Very Rare", "Legendary")
LIFESTYLES = ("destitute", "Poor", "Modest", "Comfortable", "Affluent", "Wealthy")


def lifestyle(rank: int) -> int:
    """The lifestyle of a Resources rank, 0 destitute, 1 Poor ... 5 Wealthy: the highest class of goods that it affords
    (section 17)."""
    return (max(0, min(10, rank)) + 1) // 2


def in_words(rank: int) -> str:
    """`4, Modest`."""
    return f"{rank}, {LIFESTYLES[lifestyle(rank)]}"


def pooled(ranks: Iterable[int]) -> int | None:
    """The pooled rank of several characters of one lifestyle, at most 10; None if their lifestyles differ."""
    ranks = list(ranks)
    if not ranks or len({lifestyle(rank) for rank in ranks}) > 1:
        return None
    return min(10, max(ranks) + len(ranks) - 1)


def loss(rank: int, wanted: int) -> int | None:
    """The ranks that a thing of class `wanted` costs a single buyer; None if it is out of reach (ruling 66)."""
    means = lifestyle(rank)
    if not means or wanted > means + 1:
        return None
    return int(wanted > means)


def for_sale(bundle: Bundle) -> list[Element]:
    """Everything that has a price, kind by kind."""
    goods = (element for kind in ("armor", "weapon", "gear", "tool") for element in bundle.offered(kind))
    return [element for element in goods if element.cost_class]


def offer(bundle: Bundle, build: Build, sheet: Sheet, element: Element, quantity: int = 1) -> Offer:
    """The terms for buying `quantity` of `element` at the present rank.

    A thing one class above what the character can afford costs a rank until that is restored; two classes above is out
    of reach. At rank 0, nothing can be bought. More than one thing of the highest affordable class is flagged or
    refused, as the house rules say.
    """
    rank = sheet.value("resources.rank")
    means, wanted = lifestyle(rank), element.cost_class
    if not wanted:
        return Offer(False, f"{element.name} is not for sale.")
    if rank <= 0:
        return Offer(False, "With Resources 0 you cannot buy anything.")
    cost = loss(rank, wanted)
    if cost is None:
        return Offer(
            False,
            f"{element.name} is {CLASSES[wanted]}, two or more classes above {LIFESTYLES[means]} (Resources {rank}).",
        )
    if cost:
        if quantity > 1:
            return Offer(False, "Beyond your means you buy one thing at a time.")
        sentence = f"That is beyond {LIFESTYLES[means]} means: Resources fall to {in_words(rank - cost)}."
        return Offer(True, sentence, {"resources-lowered": cost})
    return _within_means(bundle, build, element, quantity, means)


def _within_means(bundle: Bundle, build: Build, element: Element, quantity: int, means: int) -> Offer:
    limit = setting(bundle, build, "purchaseLimit") or "none"
    if limit == "none" or element.cost_class < means:
        return Offer(True)
    owned = sum(
        item.quantity
        for item in build.items
        if (found := bundle.elements.get(item.ref)) is not None and found.cost_class == means
    )
    if owned + quantity <= 1:
        return Offer(True)
    if limit == "block":
        return Offer(False, f"Only one {CLASSES[means]} thing may be bought without the storyteller.")
    return Offer(True, f"More than one {CLASSES[means]} thing: ask the storyteller.")
