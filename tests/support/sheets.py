"""Sheets made by hand, for templates to draw without the engine."""

from rules.engine.build import Build, Held, Item
from rules.engine.bundle import Bundle
from rules.engine.content import Ability, Action, Choice, Element, PropertyUse, Resource, RestEvent, Stat, Switch
from rules.engine.sheet import (
    ActionLine,
    Active,
    Attack,
    ChoiceLine,
    Picks,
    Problem,
    Proficiency,
    ResourceLine,
    Roll,
    Sheet,
    Step,
    Value,
)
from rules.games import polyhedral
from rules.games.polyhedral.situations import situations

CORE = "rules:core-rules"
ABILITIES = {"Strength": 17, "Agility": 14, "Vitality": 14, "Mind": 12, "Spirit": 10, "Presence": 8}
SKILLS = {
    "Athletics": "Strength", "Acrobatics": "Agility", "Sleight of Hand": "Agility", "Stealth": "Agility",
    "Endurance": "Vitality", "Awareness": "Mind", "Investigation": "Mind", "Insight": "Mind", "Survival": "Mind",
    "Resonance": "Spirit", "Deception": "Presence", "Intimidation": "Presence", "Performance": "Presence",
    "Persuasion": "Presence",
}  # fmt: skip
KNOWLEDGES = ["Arcana", "Dungeoneering", "History", "Medicine", "Nature", "Religion", "Technology"]
SKILLED = {"Athletics", "Awareness", "Insight", "Persuasion", "History", "Religion", "Strength", "Vitality"}


def slug(name):
    return name.lower().replace(" ", "-")


def element(kind, name, **more):
    return Element(f"{kind}:{slug(name)}", kind, slug(name), name, "test", **more)


def bundle():
    elements = [element("rules", "Core rules")]
    for sort, name in enumerate(ABILITIES):
        ability = Ability(f"rank.{slug(name)}", f"modifier.{slug(name)}", name[:2])
        elements.append(element("ability", name, sort=sort, ability=ability))
    elements += [
        element("skill", name, sort=n, key_ability=f"ability:{slug(SKILLS[name])}") for n, name in enumerate(SKILLS)
    ]
    elements += [element("knowledge", name) for name in KNOWLEDGES]
    properties = tuple(
        PropertyUse(f"property:{name}", *numbers) for name, numbers in [("thrown", (30, 60)), ("light", ())]
    )
    elements += [
        element("property", "Thrown"), element("property", "Light"), element("property", "Versatile"),
        element("weapon", "Longsword", properties=(PropertyUse("property:versatile", 10),)),
        element("weapon", "Dagger", properties=properties), element("weapon", "Unarmed strike"),
        element("armor", "Chain mail"), element("armor", "Shield"), element("gear", "Fine clothes"),
        element("lineage", "Human"), element("culture", "Human culture"), element("background", "Ambassador"),
        element("job", "Fighter"), element("disposition", "Free"), element("talent", "Tough", summary="Hard to hurt."),
        element("feature", "Second Wind", summary="Catch your breath in a fight and regain health."),
        element("feature", "Request Audience", summary="Ask to meet the powerful; the request is weighed."),
        element("damage-type", "Slashing"), element("damage-type", "Piercing"), element("damage-type", "Bludgeoning"),
        element("condition", "Poisoned", summary="Disadvantage on attack rolls and ability checks."),
        element("category", "Martial weapons"), element("category", "Heavy armor"),
    ]  # fmt: skip
    stats = [Stat(f"rank.{slug(name)}", name) for name in ABILITIES]
    stats += [Stat(f"modifier.{slug(name)}", f"{name} modifier", format="signed") for name in ABILITIES]
    stats += [
        Stat("health.max", "Health"), Stat("defense", "Defense"), Stat("speed", "Speed", format="feet"),
        Stat("skill-bonus", "Skill bonus", format="signed"), Stat("jump.long", "Long jump", format="feet"),
    ]  # fmt: skip
    return Bundle(
        "polyhedral",
        polyhedral.GAME,
        (),
        {one.ref: one for one in elements},
        {stat.key: stat for stat in stats},
        switches={"healthPer": Switch("healthPer", "Health per", "choice", "rank")},
        events={"short-rest": RestEvent("short-rest", "Short rest")},
        lookups={"difficulty": {n: 3 + 3 * n for n in range(1, 9)}},
        lookup_labels={"lifestyle": {2: "Modest"}},
    ).with_elements([second_wind()])


def second_wind():
    resource = Resource("second-wind", "Second Wind", "feature:second-wind", "second-wind.max")
    return element("feature", "Second Wind", summary="Catch your breath in a fight.", resources=(resource,))


def roll(key, name, ability, *, skilled=None, subject="", more=()):
    modifier = (ABILITIES[ability] - 10) // 2
    steps = [Step("Core rules", "every roll starts with three dice", 3, part="dice", op="base")]
    if skilled is False:
        steps.append(Step("Core rules", "not proficient", -1, part="dice", op="unskilled"))
    steps.append(Step(ability, f"rank {ABILITIES[ability]}", modifier, part="modifier", ref=f"ability:{slug(ability)}"))
    if skilled:
        steps.append(Step("Skill bonus", "proficient", 1, part="modifier"))
    steps += more
    dice = sum(step.amount for step in steps if step.part == "dice" and step.applied)
    flat = sum(step.amount for step in steps if step.part == "modifier" and step.applied)
    return Roll(
        key,
        name,
        f"ability:{slug(ability)}",
        subject,
        dice,
        flat,
        skilled,
        10 + flat + 5 * (dice - 3),
        because=tuple(steps),
        situations=situations(steps),
    )


def sheet():
    """Worked example FC-01 of the rules, with something in every part of the page."""
    keen = Step(
        "Keen Senses",
        "advantage",
        1,
        False,
        "when: to see or hear",
        "dice",
        "advantage",
        ("Elf",),
        "feature:keen-senses",
    )
    rolls = {}
    for name in ABILITIES:
        rolls[f"check.{slug(name)}"] = roll(f"check.{slug(name)}", name, name)
        rolls[f"save.{slug(name)}"] = roll(f"save.{slug(name)}", f"{name} save", name, skilled=name in SKILLED)
    for name, ability in SKILLS.items():
        key = f"skill.{slug(name)}"
        more = (keen,) if name == "Awareness" else ()
        rolls[key] = roll(key, name, ability, skilled=name in SKILLED, subject=f"skill:{slug(name)}", more=more)
    for name in KNOWLEDGES:
        key = f"knowledge.{slug(name)}"
        rolls[key] = roll(key, name, "Mind", skilled=name in SKILLED, subject=f"knowledge:{slug(name)}")
    rolls["initiative"] = roll("initiative", "Initiative", "Agility")
    values = {}
    for name, rank in ABILITIES.items():
        put(values, f"rank.{slug(name)}", Step("Chosen", "assigned at creation", rank, op="base"))
        put(values, f"modifier.{slug(name)}", Step("Core rules", f"rank {rank}", (rank - 10) // 2, ref=CORE))
    put(
        values, "health.max",
        Step("Fighter", "8 + vitality modifier 2, at 1 rank", 10, op="base", ref="job:fighter"),
        Step("Tough", "at 1 level", 2, op="add", path=("Human culture", "Talent"), ref="talent:tough"),
    )  # fmt: skip
    put(
        values, "defense",
        Step("Chain mail", "base 17", 17, op="base", ref="armor:chain-mail"),
        Step("Core rules", "10 + agility 2", 12, False, "a better base applies: Chain mail", op="base", ref=CORE),
        Step("Shield", "in the other hand", 2, op="add", ref="armor:shield"),
    )  # fmt: skip
    for key, value in {
        "level": 1, "speed": 30, "skill-bonus": 1, "wound-threshold": 42, "resources.rank": 4, "attacks": 1,
        "resources.lifestyle": 2, "resolve.max": 1, "stamina.max": 1, "jump.long": 17, "second-wind.max": 1,
    }.items():  # fmt: skip
        put(values, key, Step("Core rules", "level 1", value, ref=CORE))
    attacks = (
        attack("Longsword", "one-hand", "1d8+3", "slashing"),
        attack("Unarmed strike", "unarmed", "4", "bludgeoning"),
    )
    active = {}
    for ref, path in {
        "lineage:human": (), "culture:human-culture": (), "background:ambassador": (), "job:fighter": (),
        "disposition:free": (), "talent:tough": ("Human culture",), "feature:second-wind": ("Fighter",),
        "feature:request-audience": ("Ambassador",),
    }.items():  # fmt: skip
        active[ref] = Active(ref, 1, path)
    healing = Action(
        "feature:second-wind",
        "second-wind",
        "Second Wind",
        "bonus-action",
        20,
        roll="heal",
        dice=2,
        text="Health returns.",
    )
    twice = Step("Second Wind", "twice the rank", 2, ref="feature:second-wind")
    style = Choice("fighter.fighting-style", "job:fighter", "fighting-style", "A fighting style")
    resources = [
        ResourceLine("health", "Health", CORE, 12, 12, 0, "pool", 0, False, ("long-rest",)),
        ResourceLine("stamina", "Stamina dice", CORE, 1, 1, 0, "dice", 6, False, ("long-rest",)),
        ResourceLine("resolve", "Resolve", CORE, 1, 1, 0, "pool", 0, False, ("adventure",)),
        ResourceLine("wounds", "Wounds", CORE, 10, 10, 0, "track", 0, True, ()),
        ResourceLine("second-wind", "Second Wind", "feature:second-wind", 1, 1, 0, "uses", 0, False, ("short-rest",)),
    ]
    return Sheet(
        "Mira", 1, Picks(0, 0), values, rolls, attacks, active,
        proficiencies={
            "languages": tuple(Proficiency("", name, ("Ambassador",), True) for name in ("Common", "Trade cant")),
            "weapons": (Proficiency("category:martial-weapons", "Martial weapons", ("Fighter",)),),
            "armor": (Proficiency("category:heavy-armor", "Heavy armor", ("Fighter",)),),
        },
        belongings=(("gear:fine-clothes", 1, ("Ambassador",)),),
        resources={line.slug: line for line in resources},
        actions=(
            ActionLine(healing, ("Fighter", "Second Wind"), 2, 2, (twice,)),
            *(ActionLine(Action(CORE, slug(name), name, "action", 10), (), 0, 0) for name in ("Attack", "Hide")),
        ),
        conditions={"condition:poisoned": 1},
        choices=(
            ChoiceLine(Choice("core-rules.job", CORE, "job", "A job"), (), 1, 1, chosen=("job:fighter",)),
            ChoiceLine(style, ("Fighter",), 1, 0),
        ),
        notes={"": (Step("Woodland Stride", "Woods do not slow you.", 0),)},
        problems=(Problem("inventory[0]", "Both hands are full: the longsword cannot be held."),),
    )  # fmt: skip


def build():
    return Build(
        name="Mira",
        items=(
            Item("armor:chain-mail", state="worn"), Item("armor:shield", state="worn"),
            Item("weapon:longsword", state="main"), Item("weapon:dagger", quantity=2), Item(custom="A green letter"),
        ),
        conditions=(Held("condition:poisoned", source="a thorn"),),
        aspects=(("trait", "Hears every petition out"), ("ideal", "Peace before pride"), ("flaw", "Keeps slights")),
        switches={"healthPer": "level"},
    )  # fmt: skip


def empty():
    """A character without any decision, under rules without any content."""
    return Bundle("polyhedral", polyhedral.GAME, ()), Build(), Sheet("", 1, Picks(0, 0))


def put(values, key, *steps):
    values[key] = Value(key, sum(step.amount for step in steps if step.applied), steps)


def attack(name, grip, damage, kind, **more):
    made = roll(f"attack.{slug(name)}.{grip}", name, "Strength", skilled=True)
    steps = (*made.because, Step("Strength", "modifier", 3, part="damage", ref="ability:strength"))
    return Attack(slug(name), f"weapon:{slug(name)}", name, grip, made, 1, 8, 3, damage, kind, because=steps, **more)
