"""What a character by chance needs besides its choices: ranks, a name, aspects, and something to wear."""

from dataclasses import replace
from random import Random

from rules.engine.build import Build, Item
from rules.engine.bundle import Bundle
from rules.engine.chance import Words
from rules.engine.content import Element, Ref
from rules.engine.sheet import Sheet

from . import creation, rolling, wealth

NAMES = (
    "Adda Fenwright", "Arrin Dole", "Bel Tarrow", "Brannoch", "Cael of the Ferry", "Corvane", "Dessa Moor",
    "Fenn Alder", "Garrick Sool", "Hesper Lyle", "Ilka Brightwater", "Joss Hallow", "Keth", "Linnet Ashby",
    "Neve Carrow", "Orsolya", "Perrin Stride", "Quenna Marsh", "Rook Ambersley", "Sable Thorne", "Tamsin Oake",
    "Edda Vant", "Maro Quill", "Ulric Vane", "Vesna", "Wren Harrowgate", "Yarrow Kesk", "Zora Pell",
)  # fmt: skip
# For questions that take the player's own word and list too little: what a kind of thing might be called.
OWN_WORDS: Words = {"language": ("Ferry cant", "High court speech", "Hill talk", "Old coast tongue", "Tinkers’ patter")}
# The same for what a level may ask, where creation leaves the words to a person.
LEVEL_WORDS: Words = {
    **OWN_WORDS,
    "feature": ("No further", "Once more", "Stand", "The last wall", "Unbroken", "Never yet"),
}


def with_the_rest(bundle: Bundle, build: Build, sheet: Sheet, chance: Random) -> Build:
    """A name, aspects and equipment for a character whose choices are made."""
    build = replace(build, name=build.name or chance.choice(NAMES))
    return with_outfit(bundle, with_aspects(bundle, build, chance), sheet, chance)


def with_ranks(bundle: Bundle, build: Build, chance: Random) -> Build:
    """Ability ranks by the first method the house rules allow: the array, rolling, or points left at 10."""
    stats = list(creation.rank_stats(bundle))
    allowed = creation.methods_allowed(bundle, build)
    if "array" in allowed:
        build = replace(build, method="array")
    elif "rolled" in allowed:
        build = replace(build, method="rolled", dice=rolling.roll(chance))
    else:
        return replace(build, method="points", inputs=dict.fromkeys(stats, 10))
    results = creation.assignable(bundle, build)[: len(stats)]
    chance.shuffle(results)
    return replace(build, inputs=dict(zip(stats, results, strict=True)))


def with_aspects(bundle: Bundle, build: Build, chance: Random) -> Build:
    """One of each kind from the background's tables, or from all tables where it has none."""
    if build.aspects:
        return build
    chosen = {d.ref for d in build.decisions}
    rows = [row for row in bundle.suggestions if row.background in chosen] or bundle.suggestions
    tables: dict[str, list[str]] = {}
    for row in rows:
        tables.setdefault(row.aspect, []).append(row.text)
    return replace(build, aspects=tuple((kind, chance.choice(texts)) for kind, texts in tables.items()))


def with_outfit(bundle: Bundle, build: Build, sheet: Sheet, chance: Random) -> Build:
    """Armor and weapons that the character can use and afford without strain, put on and taken in hand."""
    if build.items:
        return build
    proficient = {row.ref for place in ("weapons", "armor") for row in sheet.proficiencies.get(place, ())}
    means = wealth.lifestyle(sheet.value("resources.rank"))
    # One thing of the best class that is affordable is beyond question, so the armor may be that.
    armor = suits(bundle, proficient, means)
    weapons = arms(bundle, proficient, max(1, means - 1) if means else 0)
    items = []
    if armor:
        items.append(Item(ref=chance.choice(armor).ref, state="worn"))
    if weapons:
        weapon = chance.choice(weapons)
        assert weapon.weapon is not None
        items.append(Item(ref=weapon.ref, state="two-hands" if weapon.weapon.hands == 2 else "main"))
    return replace(build, items=tuple(items))


def suits(bundle: Bundle, proficient: set[Ref], highest: int) -> list[Element]:
    return [
        element
        for element in bundle.of_kind("armor")
        if element.armor and not element.armor.hands and element.armor.category in proficient
        if 0 < element.cost_class <= highest
    ]


def arms(bundle: Bundle, proficient: set[Ref], highest: int) -> list[Element]:
    return [
        element
        for element in bundle.of_kind("weapon")
        if element.weapon and (element.weapon.category in proficient or element.ref in proficient)
        if 0 < element.cost_class <= highest
    ]
