"""Putting a roll together: the pool, the flat modifier and the passive total (sections 2.2, 2.3, 2.6)."""

from dataclasses import dataclass

from rules.engine.bundle import Element, Ref
from rules.engine.requirements import Scene
from rules.engine.sheet import Roll, Step
from rules.engine.solve import Row, Solver

BASE_POOL = 3
LOWEST_NET = -2  # ruling 8: a passive check is never worse than the worst roll
SKILL_BONUS = "skill-bonus"


@dataclass(frozen=True, slots=True)
class Question:
    """What is being rolled. kinds: which rows count (`check`, `save`, `initiative`, `attack`, `against`)."""

    key: str
    name: str
    kinds: tuple[str, ...]
    ability: Ref = ""
    subjects: frozenset[Ref] = frozenset()
    proficient: bool | None = None
    scene: Scene = Scene()


def build_rolls(solver: Solver) -> dict[str, Roll]:
    """Every roll the sheet lists: bare checks, saves, skills, knowledges, initiative, and attacks against."""
    found = solver.found
    bundle = found.bundle
    rolls: dict[str, Roll] = {}
    abilities = bundle.of_kind("ability")
    for ability in abilities:
        rolls[f"check.{ability.slug}"] = check(solver, ability.ref)
        rolls[f"save.{ability.slug}"] = save(solver, ability.ref)
    for skill in bundle.of_kind("skill"):
        rolls[f"skill.{skill.slug}"] = check(solver, skill.key_ability, skill.ref)
    for knowledge in bundle.of_kind("knowledge"):
        rolls[f"knowledge.{knowledge.slug}"] = check(solver, "ability:mind", knowledge.ref)
    question = Question("initiative", "Initiative", ("initiative", "check"), "ability:agility")
    rolls["initiative"] = put_together(solver, question)
    rolls["against"] = put_together(solver, Question("against", "Attacks against", ("against",)))
    spell = "ability:" + found.switch("spellAbility")
    if spell in bundle.elements:
        question = Question("spell-attack", "Spell attack", ("attack",), spell, proficient=True)
        rolls["spell-attack"] = put_together(solver, question)
    return rolls


def check(solver: Solver, ability: Ref, subject: Ref = "") -> Roll:
    """An ability check, bare or with a skill, knowledge or tool; any ability may be asked for (section 12)."""
    found = solver.found
    slug = ability.split(":")[1]
    if not subject:
        key, name, proficient = f"check.{slug}", found.bundle.elements[ability].name, None
    else:
        element = found.bundle.elements[subject]
        key, name, proficient = f"{element.kind}.{element.slug}", element.name, found.skilled(subject)
    subjects = frozenset([subject]) if subject else frozenset()
    question = Question(key, name, ("check",), ability, subjects, proficient, Scene(trained=bool(proficient)))
    return put_together(solver, question)


def save(solver: Solver, ability: Ref) -> Roll:
    """A saving throw: −1D and no bonus without proficiency (section 15)."""
    element = solver.found.bundle.elements[ability]
    proficient = solver.found.skilled(ability)
    scene = Scene(trained=proficient)
    question = Question(
        f"save.{element.slug}", f"{element.name} save", ("save",), ability, frozenset(), proficient, scene
    )
    return put_together(solver, question)


def put_together(solver: Solver, question: Question, extra: tuple[tuple[Row, tuple[int, ...]], ...] = ()) -> Roll:
    """The dice and the modifier, row by row. `extra` are rows of the item in hand, with its numbers."""
    steps = [Step("Core rules", "every roll starts with three dice", BASE_POOL, part="dice", op="base")]
    rows = matching(solver, question) + list(extra)
    weighed = [(row, *solver.weigh(row, question.scene, numbers)) for row, numbers in rows]
    net = pool(question, weighed, solver, steps)
    modifier = flat(question, weighed, solver, steps)
    fails = any(row.effect.aspect == "fails" and not why for row, _, why in weighed)
    limits = {"criticals_on": 6, "criticals_from_pool": 3}
    for row, amount, why in weighed:
        if row.effect.aspect in limits:
            if not why:
                limits[row.effect.aspect] = min(limits[row.effect.aspect], amount)
            steps.append(solver.step(row, amount, why, "critical"))
        elif row.effect.aspect == "fails":
            steps.append(solver.step(row, 0, why, "dice"))
    dice = max(1, BASE_POOL + net)
    if dice != BASE_POOL + net:
        steps.append(Step("Core rules", "never fewer than one die", dice - BASE_POOL - net, part="dice", op="minimum"))
    return Roll(
        question.key,
        question.name,
        question.ability,
        next(iter(sorted(question.subjects)), ""),
        dice,
        modifier,
        question.proficient,
        10 + modifier + 5 * max(LOWEST_NET, net),
        fails,
        limits["criticals_on"],
        limits["criticals_from_pool"],
        tuple(steps),
    )


def matching(solver: Solver, question: Question) -> list[tuple[Row, tuple[int, ...]]]:
    """The rows that speak of this kind of roll, this ability and this subject."""
    rows: list[tuple[Row, tuple[int, ...]]] = []
    for kind in question.kinds:
        for row in solver.rows.roll.get(kind, ()):
            effect = row.effect
            if effect.ability and effect.ability != question.ability:
                continue
            if effect.subject and effect.subject not in question.subjects:
                continue
            rows.append((row, ()))
    return rows


def pool(question: Question, weighed: list[tuple[Row, int, str]], solver: Solver, steps: list[Step]) -> int:
    """The net dice modifier before the floor. Advantage and disadvantage count once and cancel (section 2.2)."""
    net = 0
    if question.proficient is False:
        steps.append(Step("Core rules", "not proficient", -1, part="dice", op="unskilled"))
        net -= 1
    sides = {"advantage": 1, "disadvantage": -1}
    first = {
        side: next((row for row, _, why in weighed if row.effect.aspect == side and not why), None) for side in sides
    }
    cancelled = first["advantage"] is not None and first["disadvantage"] is not None
    for row, amount, why in weighed:
        aspect = row.effect.aspect
        if aspect in sides:
            other = first["disadvantage" if aspect == "advantage" else "advantage"]
            if not why and cancelled and other is not None:
                opposite = "disadvantage" if aspect == "advantage" else "advantage"
                why = f"cancelled by {opposite} from {other.node.element.name}"
            elif not why and row is not first[aspect]:
                why = f"{aspect} counts once"
            steps.append(solver.step(row, sides[aspect], why, "dice"))
            net += 0 if why else sides[aspect]
        elif aspect == "dice":
            steps.append(solver.step(row, amount, why, "dice"))
            net += 0 if why else amount
    return net


def flat(question: Question, weighed: list[tuple[Row, int, str]], solver: Solver, steps: list[Step]) -> int:
    """Ability modifier, skill bonus (times training) and bonuses; the best of one stack group."""
    total = 0
    bundle = solver.found.bundle
    ability = bundle.elements.get(question.ability)
    if ability is not None and ability.ability is not None:
        amount = solver.value(ability.ability.modifier_stat)
        rank = solver.value(ability.ability.rank_stat)
        steps.append(Step(ability.name, f"rank {rank}", amount, part="modifier", op="ability", ref=ability.ref))
        total += amount
    bonus = solver.value(SKILL_BONUS)
    if question.proficient:
        steps.append(Step("Skill bonus", "proficient", bonus, part="modifier", op="training"))
        total += bonus
    groups: dict[str, int] = {}
    for row, amount, why in weighed:
        if row.effect.aspect == "bonus" and not why and row.effect.stack_group:
            groups[row.effect.stack_group] = max(groups.get(row.effect.stack_group, amount), amount)
    for row, amount, why in weighed:
        aspect, group = row.effect.aspect, row.effect.stack_group
        if aspect == "bonus":
            if not why and group and groups[group] != amount:
                why = "only the best of these counts"
            elif not why and group:
                groups[group] = amount + 1  # the first best one counts, equal ones after it do not
            steps.append(solver.step(row, amount, why, "modifier"))
            total += 0 if why else amount
        elif aspect == "training":
            why = why or ("" if question.proficient else "only when proficient")
            extra = bonus * (amount - 1)
            steps.append(solver.step(row, extra, why, "modifier"))
            total += 0 if why else extra
    return total


def subject_groups(element: Element) -> frozenset[Ref]:
    """What rows may call an item: itself, its category and its groups."""
    refs = {element.ref, *element.groups}
    if element.weapon:
        refs.add(element.weapon.category)
    return frozenset(refs)
