"""Everything in a random character but its choices: ability ranks, a name, aspects, and an outfit."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import permutations
from random import Random

from rules.engine.build import Build, Item
from rules.engine.bundle import Bundle
from rules.engine.content import Element, Ref
from rules.engine.derive import derive, solved
from rules.engine.random_answers import OwnWords
from rules.engine.sheet import Attack, Sheet

from . import creation, places, rolling, wealth
from .attacks import is_light
from .places import AMMUNITION, FIREARM
from .play.arms import shoots
from .play.changes import holds

type Items = tuple[Item, ...]

NAMES = (
    "Adda Fenwright", "Arrin Dole", "Bel Tarrow", "Brannoch", "Cael of the Ferry", "Corvane", "Dessa Moor",
    "Fenn Alder", "Garrick Sool", "Hesper Lyle", "Ilka Brightwater", "Joss Hallow", "Keth", "Linnet Ashby",
    "Neve Carrow", "Orsolya", "Perrin Stride", "Quenna Marsh", "Rook Ambersley", "Sable Thorne", "Tamsin Oake",
    "Edda Vant", "Maro Quill", "Ulric Vane", "Vesna", "Wren Harrowgate", "Yarrow Kesk", "Zora Pell",
)  # fmt: skip
GOOD = 14  # a good rank for a hero
CLOSE = 1  # things within this of the best are as good
TRIED = 5  # tries for each way to be armed or armored
SHOTS = 20
FOR_ANYBODY = {"", "Any", "Neutral"}  # tags of aspects that fit every disposition
# Own words by kind of element, for questions that accept them and list too few options.
OWN_WORDS: OwnWords = {
    "language": ("Ferry cant", "High court speech", "Hill talk", "Old coast tongue", "Tinkers’ patter")
}
# The same for questions of later levels. At creation, these words are left to the player.
LEVEL_WORDS: OwnWords = {
    **OWN_WORDS,
    "feature": ("No further", "Once more", "Stand", "The last wall", "Unbroken", "Never yet"),
}


def with_the_rest(bundle: Bundle, build: Build, sheet: Sheet, chance: Random) -> Build:
    """A name, aspects and equipment for a character whose choices are made."""
    build = replace(build, name=build.name or chance.choice(NAMES))
    return with_outfit(bundle, with_aspects(bundle, build, chance), sheet, chance)


def with_ranks(bundle: Bundle, build: Build, chance: Random) -> Build:
    """Ability ranks by the first method that the house rules allow: the array, rolling or points. The abilities that
    the job needs most get the best ranks. If the content has fewer numbers than abilities, some are left to the
    player."""
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
    """The ranks that the chosen job needs most: those of the abilities whose saving throws it teaches, in the order of
    its content."""
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
    """Ranks bought with points: each is raised to 14, in this order, until the points run out."""
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
    """Adds an aspect of each missing kind that fits the disposition, from the background's tables or, if it has none,
    from all tables."""
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
    """Armor and weapons, in use, that this character uses well and can easily afford."""
    if build.items:
        return build

    def wearing(items: Items) -> Build:
        return replace(build, items=items)

    def attack(items: Items) -> float:
        return strongest_attack(derive(bundle, wearing(items)) if items else sheet)

    proficient = {row.ref for place in ("weapons", "armor") for row in sheet.proficiencies.get(place, ())}
    means = wealth.lifestyle(sheet.value("resources.rank"))
    # One thing of the best affordable class is always allowed: that may be the armor.
    suits, others = armor(bundle, proficient, means, shields=False), max(1, means - 1) if means else 0
    suit, _ = best(some(in_use(suits), chance), chance, lambda items: solved(bundle, wearing(items)).value("defense"))
    hands, free = best(armed(arms(bundle, proficient, others), chance), chance, attack)
    shield = tuple(chance.choice(in_use(armor(bundle, proficient, others, shields=True)) or [()]))
    items = [*suit, *hands, *ammunition(bundle, hands)]
    # A shield may cost up to a point of the best attack. If that attack needs both hands, it would cost more.
    if shield and not any(places.clashes(bundle, [*hands, *shield])) and attack((*hands, *shield)) >= free - CLOSE:
        items += shield
    for item in items:  # house rules may limit how many things can be bought
        if wealth.offer(bundle, build, sheet, bundle.elements[item.ref], item.quantity).allowed:
            build = replace(build, items=(*build.items, item))
    return build


def in_use(things: Sequence[Element]) -> list[Items]:
    """Each of these by itself, where it serves its purpose."""
    return [(Item(ref=thing.ref, state=places.of_use(thing)[0]),) for thing in things]


def armed(weapons: Sequence[Element], chance: Random) -> list[Items]:
    """Ways to be armed: bare hands, a light weapon, a heavier one, a ranged one, or two light ones."""
    ranged = [weapon for weapon in weapons if weapon.weapon and weapon.weapon.ranged]
    light = [weapon for weapon in weapons if is_light(weapon)]
    heavier = [weapon for weapon in weapons if weapon not in ranged and weapon not in light]
    singles = [one for group in (light, heavier, ranged) for one in some(in_use(group), chance)]
    pairs = [(*main, replace(off, state="off")) for main, (off,) in permutations(in_use(light), 2)]
    return [(), *singles, *some(pairs, chance)]


def some(ways: list[Items], chance: Random) -> list[Items]:
    return chance.sample(ways, min(TRIED, len(ways)))


def best(ways: Sequence[Items], chance: Random, worth: Callable[[Items], float]) -> tuple[Items, float]:
    """One of these, and its worth: close to the best of them, with as few things as possible."""
    worths = [(items, worth(items)) for items in ways]
    most = max((value for _, value in worths), default=0)
    near = [(items, value) for items, value in worths if value >= most - CLOSE]
    fewest = min((len(items) for items, _ in near), default=0)
    return chance.choice([one for one in near if len(one[0]) == fewest] or [((), 0)])


def strongest_attack(sheet: Sheet) -> float:
    """The mean roll plus the mean damage of the best attack. An attack that one of the character's features helps
    counts twice, since the feature was chosen for use. Others count only in close combat, because that is where a first
    weapon is needed."""
    return max(
        (
            (1 + helped)
            * (
                3.5 * attack.roll.dice
                + attack.roll.modifier
                + attack.damage_dice * (attack.damage_die + 1) / 2
                + attack.damage_modifier
            )
            for attack in sheet.attacks
            if (helped := is_helped(sheet, attack)) or not attack.range
        ),
        default=0,
    )


def is_helped(sheet: Sheet, attack: Attack) -> bool:
    """True if a feature adds to the attack, or could change its roll."""
    bundle = sheet.solver.found.bundle
    return any(step.applied and step.ref.startswith("feature:") for step in attack.because) or any(
        line.action.of_roll == "attack" and holds(bundle, sheet, line.action, attack.roll.key) for line in sheet.actions
    )


def ammunition(bundle: Bundle, hands: Items) -> list[Item]:
    """Ammunition for each ranged weapon in hand; more pieces of it, if it is thrown."""
    pieces = []
    for element in (bundle.elements[item.ref] for item in hands):
        if element.weapon and element.weapon.ranged:
            shot = (shoots(use.note) for use in element.properties if use.property == AMMUNITION)
            pieces.append(Item(ref=next(shot, element.ref), quantity=SHOTS))
    return [item for item in pieces if item.ref in bundle.elements]


def armor(bundle: Bundle, proficient: set[Ref], highest: int, *, shields: bool) -> list[Element]:
    """The shields, or else the suits of armor, of classes up to `highest`."""
    return [
        element
        for element in bundle.offered("armor")
        if element.armor and bool(element.armor.hands) == shields and element.armor.category in proficient
        if 0 < element.cost_class <= highest
    ]


def arms(bundle: Bundle, proficient: set[Ref], highest: int) -> list[Element]:
    """Weapons for an adventurer: d6 or better, and no firearms, since not every table has them."""
    return [
        element
        for element in bundle.offered("weapon")
        if element.weapon and (element.weapon.category in proficient or element.ref in proficient)
        if 0 < element.cost_class <= highest
        if element.weapon.dice * element.weapon.die >= 6
        if all(use.property != FIREARM for use in element.properties)
    ]
