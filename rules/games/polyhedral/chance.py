"""The parts of a random character besides its choices: ranks, a name, aspects, and an outfit."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

from rules.engine.build import Build, Item
from rules.engine.bundle import Bundle
from rules.engine.content import Element, Ref
from rules.engine.derive import derive
from rules.engine.random_answers import OwnWords
from rules.engine.sheet import Sheet

from . import creation, places, rolling, wealth

NAMES = (
    "Adda Fenwright", "Arrin Dole", "Bel Tarrow", "Brannoch", "Cael of the Ferry", "Corvane", "Dessa Moor",
    "Fenn Alder", "Garrick Sool", "Hesper Lyle", "Ilka Brightwater", "Joss Hallow", "Keth", "Linnet Ashby",
    "Neve Carrow", "Orsolya", "Perrin Stride", "Quenna Marsh", "Rook Ambersley", "Sable Thorne", "Tamsin Oake",
    "Edda Vant", "Maro Quill", "Ulric Vane", "Vesna", "Wren Harrowgate", "Yarrow Kesk", "Zora Pell",
)  # fmt: skip
GOOD = 14  # a good rank for a hero
CLOSE = 1  # an item this close to the best one is as good
TRIED = 5
FOR_ANYBODY = {"", "Any", "Neutral"}  # tags of aspects that suit every disposition
# Own words by kind of element, for questions that accept them and list too few options.
OWN_WORDS: OwnWords = {
    "language": ("Ferry cant", "High court speech", "Hill talk", "Old coast tongue", "Tinkers’ patter")
}
# The same for the questions of levels. At creation these words are left to the player.
LEVEL_WORDS: OwnWords = {
    **OWN_WORDS,
    "feature": ("No further", "Once more", "Stand", "The last wall", "Unbroken", "Never yet"),
}


def with_the_rest(bundle: Bundle, build: Build, sheet: Sheet, chance: Random) -> Build:
    """A name, aspects and equipment for a character whose choices are made."""
    build = replace(build, name=build.name or chance.choice(NAMES))
    return with_outfit(bundle, with_aspects(bundle, build, chance), sheet, chance)


def with_ranks(bundle: Bundle, build: Build, chance: Random) -> Build:
    """Ability ranks by the first method that the house rules allow: the array, rolling or points. The job's most needed
    abilities get the best ones. If the content has fewer numbers than abilities, some are left to the player."""
    needed = needs(bundle, build)
    others = [stat for stat in creation.rank_stats(bundle) if stat not in needed]
    chance.shuffle(others)
    order = [*needed, *others]
    allowed = creation.methods_allowed(bundle, build)
    if "array" in allowed:
        build = replace(build, method="array")
    elif "rolled" in allowed:
        build = replace(build, method="rolled", dice=rolling.roll(chance))
    elif "points" in allowed:
        return replace(build, method="points", inputs=bought(bundle, build, order))
    results = creation.assignable(bundle, build)[: len(order)]
    return replace(build, inputs=dict(zip(order, results, strict=False)))


def needs(bundle: Bundle, build: Build) -> list[str]:
    """The ability ranks that the chosen job needs most, in the order of its content: those of the saving throws that it
    teaches."""
    chosen = {decision.ref for decision in build.decisions}
    stats = {ability: stat for stat, ability in creation.rank_stats(bundle).items()}
    taught = [
        stats[effect.element]
        for job in bundle.of_kind("job")
        if job.ref in chosen
        for effect in bundle.grants.get(job.ref, ())
        if effect.grant_as == "skilled" and effect.element in stats
    ]
    return list(dict.fromkeys(taught))


def bought(bundle: Bundle, build: Build, order: Sequence[str]) -> dict[str, int]:
    """Ranks bought with points: each in this order is raised to 14, until the points run out."""
    ranks, budget = dict.fromkeys(order, 10), creation.budget(bundle, build)
    most = min(GOOD, creation.highest(bundle, build))
    for stat in order:
        while ranks[stat] < most:
            more = {**ranks, stat: ranks[stat] + 1}
            if creation.total_cost(bundle, list(more.values())) > budget:
                break
            ranks = more
    return ranks


def with_aspects(bundle: Bundle, build: Build, chance: Random) -> Build:
    """One more aspect of each missing kind, from the background's tables, or from all tables if it has none. None
    contradicts the disposition."""
    chosen, had = {d.ref for d in build.decisions}, {kind for kind, _ in build.aspects}
    rows = [row for row in bundle.suggestions if row.background in chosen] or bundle.suggestions
    dispositions = {element.name for element in bundle.of_kind("disposition") if element.ref in chosen}
    tables: dict[str, list[str]] = {}
    for row in rows:
        if row.aspect not in had and (not dispositions or row.tag in dispositions | FOR_ANYBODY):
            tables.setdefault(row.aspect, []).append(row.text)
    more = tuple((kind, chance.choice(texts)) for kind, texts in tables.items())
    return replace(build, aspects=(*build.aspects, *more))


def with_outfit(bundle: Bundle, build: Build, sheet: Sheet, chance: Random) -> Build:
    """Armor and weapons that this character uses well and can easily afford, in use."""
    if build.items:
        return build
    proficient = {row.ref for place in ("weapons", "armor") for row in sheet.proficiencies.get(place, ())}
    means = wealth.lifestyle(sheet.value("resources.rank"))
    # One thing of the best affordable class is always allowed, so that may be the armor.
    suits, others = armor(bundle, proficient, means, shields=False), max(1, means - 1) if means else 0
    suit = best(bundle, build, suits, chance, lambda worn: worn.value("defense"))
    weapon = best(bundle, build, arms(bundle, proficient, others), chance, strongest_attack)
    shield = best(bundle, build, armor(bundle, proficient, others, shields=True), chance, lambda _: 0)
    items = [*suit, *weapon]
    if shield and all(item.state == "main" for item in weapon) and not hinders(bundle, build, weapon, shield):
        items += shield
    for item in items:  # house rules may limit the number of things bought
        if wealth.offer(bundle, build, sheet, bundle.elements[item.ref]).allowed:
            build = replace(build, items=(*build.items, item))
    return build


def hinders(bundle: Bundle, build: Build, weapon: Sequence[Item], shield: Sequence[Item]) -> bool:
    """True if the shield costs more than a point of the best attack: of one that needs the other hand."""
    free, full = (derive(bundle, replace(build, items=tuple(items))) for items in (weapon, (*weapon, *shield)))
    return strongest_attack(full) < strongest_attack(free) - CLOSE


def best(
    bundle: Bundle, build: Build, things: Sequence[Element], chance: Random, worth: Callable[[Sheet], float]
) -> list[Item]:
    """Try a few of these items on the character; returns one that comes close to the best of them, in use."""
    tried = chance.sample(things, min(TRIED, len(things)))
    found = [Item(ref=thing.ref, state=places.of_use(thing)[0]) for thing in tried]
    worths = [worth(derive(bundle, replace(build, items=(item,)))) for item in found]
    near = [item for item, value in zip(found, worths, strict=True) if value >= max(worths) - CLOSE]
    return [chance.choice(near)] if near else []


def strongest_attack(sheet: Sheet) -> float:
    """The mean roll and the mean damage of the best attack, added up."""
    return max(
        (
            3.5 * attack.roll.dice
            + attack.roll.modifier
            + attack.damage_dice * (attack.damage_die + 1) / 2
            + attack.damage_modifier
            for attack in sheet.attacks
        ),
        default=0,
    )


def armor(bundle: Bundle, proficient: set[Ref], highest: int, *, shields: bool) -> list[Element]:
    """The shields, or the armor that is worn, of classes up to the highest."""
    return [
        element
        for element in bundle.offered("armor")
        if element.armor and bool(element.armor.hands) == shields and element.armor.category in proficient
        if 0 < element.cost_class <= highest
    ]


def arms(bundle: Bundle, proficient: set[Ref], highest: int) -> list[Element]:
    """Weapons for an adventurer: for close combat, with a d6 or more."""
    return [
        element
        for element in bundle.offered("weapon")
        if element.weapon and (element.weapon.category in proficient or element.ref in proficient)
        if 0 < element.cost_class <= highest
        if element.weapon.dice * element.weapon.die >= 6
        if not element.weapon.ranged
    ]
