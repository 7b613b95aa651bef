"""Characters for tests of the rules: made from a few words, with defaults for everything else, or at random."""

from dataclasses import replace
from random import Random

from rules.engine import Build, Bundle, Decision, Held, Item, derive
from rules.engine.content import Amount, Effect, Element
from rules.engine.random_answers import answer_all

ABILITIES = ("strength", "agility", "vitality", "mind", "spirit", "presence")


def hero(
    *,
    level=1,
    rank=None,
    lineage="",
    culture="",
    background="",
    skills=(),
    knowledges=(),
    languages=(),
    talents=(),
    styles=(),
    path="",
    items=(),
    conditions=(),
    wounds=0,
    toggles=(),
    switches=None,
    milestone=False,
    job="fighter",
    **ranks,
) -> Build:
    """A character of `level` whose first picks are fighter ranks up to `rank` (all of them when None).

    Talents fill the picks after the ranks. Skills, knowledges and languages are choices of the human culture.
    """
    decisions = origins(lineage, culture, background)
    decisions += picks(level, level if rank is None else rank, talents, job)
    decisions += [Decision("fighter.fighting-style", ref=f"feature:{style}") for style in styles[:1]]
    decisions += [Decision("champion.fighting-style", 8, ref=f"feature:{style}") for style in styles[1:2]]
    if path:
        decisions.append(Decision("fighter.martial-path", 3, ref=f"path:{path}"))
    chosen = [("skills", "skill", skills), ("knowledge", "knowledge", knowledges), ("language", "language", languages)]
    for choice, kind, slugs in chosen:
        for at, slug in enumerate(slugs):
            decisions.append(Decision(f"human-culture.{choice}", 1, at, ref=f"{kind}:{slug}"))
    return Build(
        name="Hero",
        xp=(level - 1) * 1000,
        inputs={f"rank.{ability}": ranks.get(ability, 10) for ability in ABILITIES},
        method="manual",
        decisions=tuple(decisions),
        items=tuple(item(text) for text in items),
        conditions=tuple(Held(f"condition:{slug}") for slug in conditions),
        spent={"wounds": wounds} if wounds else {},
        toggles=frozenset(toggles),
        switches=switches or {},
    )


def origins(lineage: str, culture: str, background: str) -> list[Decision]:
    named = [("lineage", lineage), ("culture", culture), ("background", background)]
    return [Decision(f"core-rules.{kind}", ref=f"{kind}:{slug}") for kind, slug in named if slug]


def picks(level: int, rank: int, talents, job: str) -> list[Decision]:
    """The starting job, then ranks of it, then talents, a level each."""
    decisions = [Decision("core-rules.job", ref=f"job:{job}")] if job and rank else []
    at = 1
    for _ in range(1, rank):
        at += 1
        decisions.append(Decision("core-rules.level-job", at, ref=f"job:{job}"))
    for talent in talents:
        at += 1
        decisions.append(Decision("core-rules.level-talent", at, ref=f"talent:{talent}"))
    assert at <= level, "more picks than levels"
    return decisions


def item(text: str) -> Item:
    """`"longsword@main"`, `"plate@worn"`: a slug of a weapon, armor or gear, and where it is."""
    slug, _, state = text.partition("@")
    kind = "armor" if state == "worn" else "weapon"
    return Item(f"{kind}:{slug}", state=state or "carried")


def blessed(bundle: Bundle, build: Build, *effects: Effect, name: str = "Blessing") -> tuple[Bundle, Build]:
    """The character with an additional condition that has these rows, as a stand-in for any rule."""
    slug = name.lower().replace(" ", "-")
    ref = f"condition:{slug}"
    rows = tuple(replace(effect, owner=ref) for effect in effects)
    marker = Element(ref=ref, kind="condition", slug=slug, name=name, source="test", effects=rows)
    return bundle.with_elements([marker]), replace(build, conditions=(*build.conditions, Held(ref)))


def by_chance(core, seed, level=0):
    """A complete character with every level taken at random."""
    chance = Random(seed)
    made = core.game.chance
    build = made.with_ranks(core, Build(xp=((level or chance.randint(1, 14)) - 1) * 1000), chance)
    build = answer_all(core, with_random_picks(core, build, chance), chance, made.OWN_WORDS)
    return made.with_the_rest(core, build, derive(core, build), chance)


def with_random_picks(core, build, chance):
    picks = [Decision("core-rules.job", ref="job:fighter")]
    talents = [element.ref for element in core.of_kind("talent") if not element.prerequisites]
    chance.shuffle(talents)
    for level in range(2, 2 + build.xp // 1000):
        if chance.random() < 0.7 and len(picks) < 15:
            picks.append(Decision("core-rules.level-job", level, ref="job:fighter"))
        elif talents:
            picks.append(Decision("core-rules.level-talent", level, ref=talents.pop()))
        else:
            raised = chance.sample([f"rank.{ability}" for ability in ABILITIES], 2)
            picks += [Decision("core-rules.level-abilities", level, at, stat=stat) for at, stat in enumerate(raised)]
    return replace(build, decisions=tuple(picks))


def row(roll: str, aspect: str, amount: int = 0, **columns) -> Effect:
    """A roll row: `row("check", "advantage")`."""
    return Effect(kind="roll", owner="", roll=roll, aspect=aspect, amount=Amount(flat=amount), **columns)


def skilled(*refs: str) -> list[Effect]:
    """Grants of proficiency, for `blessed`."""
    return [Effect(kind="grant", owner="", element=ref, grant_as="skilled") for ref in refs]


def pool(roll) -> str:
    """A roll as the rules write it: `3D+5`."""
    return f"{roll.dice}D{roll.modifier:+d}"


def attack_of(core, build, item, grip="one-hand"):
    return next(one for one in derive(core, build).attacks if (one.item, one.grip) == (item, grip))
