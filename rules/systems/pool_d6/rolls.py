"""Putting a roll together: the pool, the flat modifier and the passive total (sections 2.2, 2.3, 2.6)."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rules.engine.bundle import Element, Ref
from rules.engine.requirements import Scene
from rules.engine.sheet import Roll, Step
from rules.engine.solve import Judged, Printed, Row, Solver

BASE_POOL = 3
LOWEST_NET = -2  # ruling 8: a passive check is never worse than the worst roll
SKILL_BONUS = "skill-bonus"
CHECK = ("check",)
SCENES = {trained: Scene(trained=trained) for trained in (False, True)}
POOL = Step("Core rules", "every roll starts with three dice", BASE_POOL, part="dice", op="base")
UNSKILLED = Step("Core rules", "not proficient", -1, part="dice", op="unskilled")


class Question(NamedTuple):
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
    # Where no row names the subject, checks of one ability and training differ in nothing but their names.
    alike = (ability, proficient)
    shared = subject not in sorted_rows(solver, "check")[1]
    if shared and (known := solver.alike.get(alike)) is not None:
        return Roll(key, name, ability, subject, *known[4:])
    subjects = frozenset([subject]) if subject else frozenset()
    scene = SCENES[bool(proficient)]
    roll = put_together(solver, Question(key, name, CHECK, ability, subjects, proficient, scene))
    if shared:
        solver.alike[alike] = roll
    return roll


def save(solver: Solver, ability: Ref) -> Roll:
    """A saving throw: −1D and no bonus without proficiency (section 15)."""
    element = solver.found.bundle.elements[ability]
    proficient = solver.found.skilled(ability)
    key, name = f"save.{element.slug}", f"{element.name} save"
    return put_together(solver, Question(key, name, ("save",), ability, frozenset(), proficient, SCENES[proficient]))


class Summary(NamedTuple):
    """What the rows of a roll come to, apart from ability and skill bonus."""

    net: int  # dice added to the base pool, before the floor
    dice: tuple[Step, ...]
    bonus: int
    flat: tuple[Step, ...]
    fails: bool
    criticals_on: int
    criticals_from_pool: int
    rest: tuple[Step, ...]


def put_together(solver: Solver, question: Question, extra: Printed = ()) -> Roll:
    """The dice and the modifier, row by row. `extra` are rows of the item in hand, with its numbers."""
    found = summary_of(solver, question, extra)
    dice, steps = BASE_POOL + found.net, [POOL, *found.dice]
    if dice < 1:
        steps.append(Step("Core rules", "never fewer than one die", 1 - dice, part="dice", op="minimum"))
        dice = 1
    modifier = found.bonus
    for step in training(solver, question):
        steps.append(step)
        modifier += step.amount
    subject = next(iter(question.subjects)) if len(question.subjects) == 1 else ""
    return Roll(
        question.key,
        question.name,
        question.ability,
        subject,
        dice,
        modifier,
        question.proficient,
        10 + modifier + 5 * max(LOWEST_NET, found.net),
        found.fails,
        found.criticals_on,
        found.criticals_from_pool,
        (*steps, *found.flat, *found.rest),
    )


def training(solver: Solver, question: Question) -> tuple[Step, ...]:
    """The ability modifier and, when proficient, the skill bonus."""
    key = (question.ability, question.proficient)
    known = solver.trained.get(key)
    if known is None:
        known = ()
        ability = solver.found.bundle.elements.get(question.ability)
        if ability is not None and ability.ability is not None:
            amount, rank = solver.value(ability.ability.modifier_stat), solver.value(ability.ability.rank_stat)
            step = Step(ability.name, f"rank {rank}", amount, part="modifier", op="ability", ref=ability.ref)
            known = (step,)
        if question.proficient:
            bonus = solver.value(SKILL_BONUS)
            known += (Step("Skill bonus", "proficient", bonus, part="modifier", op="training"),)
        solver.trained[key] = known
    return known


def summary_of(solver: Solver, question: Question, extra: Printed) -> Summary:
    """The rows in sum. Rolls of one kind, ability and training share it, unless a row names the subject."""
    general, own, named = matching(solver, question)
    key = (question.kinds, question.scene, question.proficient, question.ability if own else "")
    shared = not named and not extra
    if shared and key in solver.summaries:
        known: Summary = solver.summaries[key]
        return known
    by_aspect: dict[str, list[Judged]] = {}
    for row in (*general, *own, *named):
        by_aspect.setdefault(row.effect.aspect, []).append(solver.judge(row, question.scene))
    for row, numbers in extra:
        by_aspect.setdefault(row.effect.aspect, []).append(solver.judge(row, question.scene, numbers))
    found = summed(solver, question, by_aspect)
    if shared:
        solver.summaries[key] = found
    return found


def summed(solver: Solver, question: Question, by_aspect: Mapping[str, list[Judged]]) -> Summary:
    dice: list[Step] = []
    flat: list[Step] = []
    rest: list[Step] = []
    net = pool(question, by_aspect, dice)
    bonus = doubled(question, by_aspect.get("training", ()), solver, flat) + bonuses(by_aspect.get("bonus", ()), flat)
    fails = by_aspect.get("fails", ())
    rest += [judged.step for judged in fails]
    return Summary(
        net,
        tuple(dice),
        bonus,
        tuple(flat),
        any(not judged.why for judged in fails),
        critical(by_aspect.get("criticals_on", ()), 6, rest),
        critical(by_aspect.get("criticals_from_pool", ()), 3, rest),
        tuple(rest),
    )


def critical(rows: Sequence[Judged], start: int, steps: list[Step]) -> int:
    """The lowest face, or smallest pool, that any row allows for a critical success (section 8.4)."""
    steps += [judged.step for judged in rows]
    return min([start, *(judged.amount for judged in rows if not judged.why)]) if rows else start


def matching(solver: Solver, question: Question) -> tuple[list[Row], list[Row], list[Row]]:
    """The rows of this kind of roll: those for every roll, those for its ability, and those for its subject."""
    general: list[Row] = []
    own: list[Row] = []
    named: list[Row] = []
    for kind in question.kinds:
        plain, by_name = sorted_rows(solver, kind)
        general = general + plain if general else plain
        if by_name:
            own += by_name.get(question.ability, ())
            for subject in question.subjects:
                named += [row for row in by_name.get(subject, ()) if row.effect.ability in ("", question.ability)]
    return general, own, named


def sorted_rows(solver: Solver, kind: str) -> tuple[list[Row], dict[Ref, list[Row]]]:
    """The rows of one kind of roll: general ones, and by subject, else by ability, those that name one."""
    known = solver.sorted.get(kind)
    if known is None:
        plain: list[Row] = []
        named: dict[Ref, list[Row]] = {}
        for row in solver.rows.roll.get(kind, ()):
            ref = row.effect.subject or row.effect.ability
            (named.setdefault(ref, []) if ref else plain).append(row)
        known = solver.sorted[kind] = (plain, named)
    return known


def pool(question: Question, by_aspect: Mapping[str, list[Judged]], steps: list[Step]) -> int:
    """The net dice modifier before the floor. Advantage and disadvantage count once and cancel (section 2.2)."""
    net = 0
    if question.proficient is False:
        steps.append(UNSKILLED)
        net -= 1
    up, down = by_aspect.get("advantage", ()), by_aspect.get("disadvantage", ())
    for rows, rivals, opposite in ((up, down, "disadvantage"), (down, up, "advantage")):
        rival = next((judged for judged in rivals if not judged.why), None)
        counted = False
        for judged in rows:
            step = judged.step
            if not judged.why and rival is not None:
                why = f"cancelled by {opposite} from {rival.row.node.element.name}"
                step = step._replace(applied=False, why=why)
            elif not judged.why and counted:
                step = step._replace(applied=False, why=f"{judged.row.effect.aspect} counts once")
            elif not judged.why:
                counted = True
                net += step.amount
            steps.append(step)
    for judged in by_aspect.get("dice", ()):
        steps.append(judged.step)
        net += 0 if judged.why else judged.amount
    return net


def doubled(question: Question, rows: Sequence[Judged], solver: Solver, steps: list[Step]) -> int:
    """What multiples of the skill bonus add, for proficient rolls (section 8.4)."""
    total = 0
    for judged in rows:
        why = judged.why or ("" if question.proficient else "only when proficient")
        extra = solver.value(SKILL_BONUS) * (judged.amount - 1)
        steps.append(judged.step._replace(amount=extra, applied=not why, why=why))
        total += 0 if why else extra
    return total


def bonuses(rows: Sequence[Judged], steps: list[Step]) -> int:
    """Bonuses and penalties add up; of one stack group only the best counts."""
    total = 0
    best: dict[str, Judged] = {}
    for judged in rows:
        group = judged.row.effect.stack_group
        if group and not judged.why and (group not in best or judged.amount > best[group].amount):
            best[group] = judged
    for judged in rows:
        group = judged.row.effect.stack_group
        if not judged.why and group and best[group] is not judged:
            why = f"does not add to {best[group].step.text or best[group].row.node.element.name}"
            steps.append(judged.step._replace(applied=False, why=why))
            continue
        steps.append(judged.step)
        total += 0 if judged.why else judged.amount
    return total


def subject_groups(element: Element) -> frozenset[Ref]:
    """What rows may call an item: itself, its category and its groups."""
    refs = {element.ref, *element.groups}
    if element.weapon:
        refs.add(element.weapon.category)
    return frozenset(refs)
