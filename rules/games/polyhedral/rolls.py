"""Puts rolls together: the pool, the flat modifier and the passive total (sections 2.2, 2.3, 2.6)."""

from collections.abc import Sequence
from typing import NamedTuple

from rules.engine.active_effects import ActiveEffect, Printed
from rules.engine.bundle import Bundle
from rules.engine.content import Effect, Element, Ref
from rules.engine.phrases import number
from rules.engine.requirements import RowContext
from rules.engine.sheet import Roll, Step, make
from rules.engine.solve import Solver, outdone_by

from .dice import SIDES
from .situations import situations

BASE_POOL = 3
LOWEST_NET = -2  # ruling 8: a passive total counts no more than two lost dice
SKILL_BONUS = "skill-bonus"
CHECK, SAVE = ("check",), ("save",)
ATTACKS = ("attack", "spell-attack", "against")  # the first words of the keys of attack rolls
KNOWING = "ability:mind"
CONTEXTS = {trained: RowContext(trained=trained) for trained in (False, True)}
NAMED = {trained: context._replace(named=True) for trained, context in CONTEXTS.items()}
SPELL = RowContext(grip=frozenset({"spell"}))
POOL = Step("Core rules", "every roll starts with three dice", BASE_POOL, part="dice", op="base")
UNSKILLED = Step("Core rules", "not proficient", -1, part="dice", op="unskilled")
BASE: tuple[Step, ...] = (POOL,)
BASE_UNSKILLED: tuple[Step, ...] = (POOL, UNSKILLED)
# Reasons for a row that applies to add no dice: the opposite cancels it, or its own side has one already.
CANCELED, ONCE = "canceled by", "counts once"


# The rows of a roll, each with its step, in order or by aspect.
NO_ROWS: Sequence[ActiveEffect] = ()
type Judged = Sequence[tuple[Effect, Step]]
type ByAspect = dict[str, list[tuple[Effect, Step]]]


class RollQuery(NamedTuple):
    """A roll to put together. kinds: the kinds of row that count (`check`, `save`, `initiative`, `attack`,
    `against`)."""

    key: str
    name: str
    kinds: tuple[str, ...]
    ability: Ref = ""
    subjects: frozenset[Ref] = frozenset()
    proficient: bool | None = None
    context: RowContext = RowContext()


def build_rolls(solver: Solver) -> dict[str, Roll]:
    """Every roll on the sheet: bare checks, saves, skills, knowledges, initiative, and attacks against the
    character."""
    bundle = solver.found.bundle
    spell = "ability:" + solver.found.switch("spellAbility")
    rolls = [made(solver, ability.ref) for ability in bundle.of_kind("ability") for made in (check, save)]
    for skill in (*bundle.of_kind("skill"), *bundle.of_kind("knowledge")):
        rolls.append(check(solver, skill.key_ability or KNOWING, skill.ref))
    queries = [
        RollQuery("initiative", "Initiative", ("initiative", *CHECK), "ability:agility"),
        RollQuery("against", "Attacks against", ("against",)),
        RollQuery("spell-attack", "Spell attack", ("attack",), spell, proficient=True, context=SPELL),
    ]
    for query in queries:
        if not query.ability or query.ability in bundle.elements:
            rolls.append(put_together(solver, query))
    return {roll.key: roll for roll in rolls}


def check(solver: Solver, ability: Ref, subject: Ref = "") -> Roll:
    """An ability check, alone or with a skill, knowledge or tool. Any ability may be asked for (section 12)."""
    proficient = solver.found.skilled(subject) if subject else None
    query = asked(solver.found.bundle, ability, subject, proficient)
    # Unless a row names the subject, checks with the same ability and training differ only in their names.
    alike = (ability, proficient)
    shared = subject not in sorted_rows(solver, CHECK)[1]
    if shared and (known := solver.alike.get(alike)) is not None:
        return make(Roll, (query.key, query.name, ability, subject, *known[4:]))
    roll = put_together(solver, query)
    if shared:
        solver.alike[alike] = roll
    return roll


def asked(bundle: Bundle, ability: Ref, subject: Ref, proficient: bool | None) -> RollQuery:
    """The query of a check, the same for all characters with this training."""
    known: RollQuery | None = bundle.memo.get(("check", ability, subject, proficient))
    if known is None:
        element = bundle.elements[subject or ability]
        key = f"{element.kind if subject else 'check'}.{element.slug}"
        subjects = frozenset([subject]) if subject else frozenset()
        context = (NAMED if subject else CONTEXTS)[bool(proficient)]
        known = RollQuery(key, element.name, CHECK, ability, subjects, proficient, context)
        bundle.memo["check", ability, subject, proficient] = known
    return known


def save(solver: Solver, ability: Ref) -> Roll:
    """A saving throw: −1D and no bonus without proficiency (section 15)."""
    element = solver.found.bundle.elements[ability]
    proficient = solver.found.skilled(ability)
    key, name = f"save.{element.slug}", f"{element.name} save"
    return put_together(solver, RollQuery(key, name, SAVE, ability, frozenset(), proficient, CONTEXTS[proficient]))


class Summary(NamedTuple):
    """The sum of a roll's rows, without ability, training and skill bonus."""

    net: int  # dice added to the base pool, before the minimum and the die lost without training
    dice: tuple[Step, ...]
    bonus: int
    flat: tuple[Step, ...]
    fails: bool
    criticals_on: int
    criticals_from_pool: int
    rest: tuple[Step, ...]
    situations: tuple[str, ...]
    succeeds: bool


def put_together(solver: Solver, query: RollQuery, extra: Printed = ()) -> Roll:
    """The roll, with dice and modifier added up row by row. extra: rows of the item in hand, with its numbers."""
    key, name, _, ability, subjects, proficient, _ = query
    net, added_dice, modifier, flat, fails, on, from_pool, rest, waiting, succeeds = summary_of(solver, query, extra)
    base = BASE
    if proficient is False:
        base = BASE_UNSKILLED
        net -= 1
    dice = BASE_POOL + net
    if dice < 1:
        minimum = Step("Core rules", "never fewer than one die", 1 - dice, part="dice", op="minimum")
        added_dice = (*added_dice, minimum)
        dice = 1
    trained = training(solver, ability, bool(proficient))
    for step in trained:
        modifier += step.amount
    subject = next(iter(subjects)) if len(subjects) == 1 else ""
    passive = 10 + modifier + 5 * max(LOWEST_NET, net)
    because = (*base, *added_dice, *trained, *flat, *rest)
    of = (key, name, ability, subject, dice, modifier, proficient, passive)
    return make(Roll, (*of, fails, on, from_pool, because, waiting, succeeds and not fails, ""))


def training(solver: Solver, ref: Ref, proficient: bool) -> tuple[Step, ...]:
    """The steps of the ability modifier and, if proficient, the skill bonus."""
    known = solver.trained.get((ref, proficient))
    if known is None:
        known = ()
        ability = solver.found.bundle.elements.get(ref)
        if ability is not None and ability.ability is not None:
            amount, rank = solver.value(ability.ability.modifier_stat), solver.value(ability.ability.rank_stat)
            words = f"rank {rank}"
            known = (make(Step, (ability.name, words, amount, True, "", "modifier", "ability", (), ref)),)
        if proficient:
            bonus = solver.value(SKILL_BONUS)
            known += (make(Step, ("Skill bonus", "proficient", bonus, True, "", "modifier", "training", (), "")),)
        solver.trained[ref, proficient] = known
    return known


def summary_of(solver: Solver, query: RollQuery, extra: Printed) -> Summary:
    """The sum of a roll's rows. Rolls of the same kinds, ability and context share it, unless a row names the
    subject."""
    _, _, kinds, ability, subjects, _, context = query
    general, by_name = sorted_rows(solver, kinds)
    own = by_name.get(ability, NO_ROWS)
    named: Sequence[ActiveEffect] = NO_ROWS
    if not subjects.isdisjoint(by_name):
        of_subjects = [row for subject in sorted(subjects & by_name.keys()) for row in by_name[subject]]
        named = [row for row in of_subjects if row.effect.ability in ("", ability)]
    key = (kinds, context, ability if own else "")
    shared = not named and not extra
    known: Summary | None = solver.summaries.get(key) if shared else None
    if known is not None:
        return known
    by_aspect: ByAspect = {}
    for row in (*general, *own, *named):
        by_aspect.setdefault(row.effect.aspect, []).append((row.effect, solver.judge(row, context)))
    for row, numbers in extra:
        by_aspect.setdefault(row.effect.aspect, []).append((row.effect, solver.judge(row, context, numbers)))
    found = summed(solver, query, by_aspect)
    if shared:
        solver.summaries[key] = found
    return found


def summed(solver: Solver, query: RollQuery, by_aspect: ByAspect) -> Summary:
    dice: list[Step] = []
    flat: list[Step] = []
    rest: list[Step] = []
    net = pool(by_aspect, dice)
    bonus = 0
    if training_rows := by_aspect.get("training"):
        bonus += doubled(query, training_rows, solver, flat)
    if bonus_rows := by_aspect.get("bonus"):
        bonus += bonuses(bonus_rows, flat)
    failing = certainly(by_aspect.get("fails", ()), rest)
    succeeding = certainly(by_aspect.get("succeeds", ()), rest)
    on = critical(by_aspect.get("criticals_on", ()), 6, rest)
    from_pool = critical(by_aspect.get("criticals_from_pool", ()), 3, rest)
    waiting = situations((*dice, *flat, *rest))
    return make(
        Summary, (net, tuple(dice), bonus, tuple(flat), failing, on, from_pool, tuple(rest), waiting, succeeding)
    )


def certainly(rows: Judged, steps: list[Step]) -> bool:
    """True if any of these rows, which decide a roll without dice, counts."""
    counts = False
    for _, step in rows:
        steps.append(step)
        counts = counts or not step.why
    return counts


def critical(rows: Judged, start: int, steps: list[Step]) -> int:
    """The lowest face, or the smallest pool, that any row allows for a critical success (section 8.4). One row counts;
    the steps of the others name the better one."""
    if not rows:
        return start
    able = [step for _, step in rows if not step.why and step.amount < start]
    counting = min(able, key=lambda step: step.amount, default=None)
    for _, step in rows:
        if not step.why and step is not counting:
            better = f"{counting.source} allows {counting.amount}" if counting else f"{start} counts anyway"
            step = step._replace(applied=False, why=better)
        steps.append(step)
    return counting.amount if counting else start


def kind_of(key: str) -> str:
    """The kind of the roll with this key, as in the house rules for criticals: `attack`, `save` or `check`."""
    word = key.partition(".")[0]
    return "attack" if word in ATTACKS else "save" if word == "save" else "check"


def remarks(roll: Roll) -> tuple[str, ...]:
    """Sentences on a certain result, on when a roll is critical, if that is unusual, and on the passive total of a
    check or save (sections 2.3 and 2.6)."""
    found = [f"{roll.certain.capitalize()} without a roll."] if roll.certain else []
    if roll.criticals_on < SIDES or roll.criticals_from_pool != BASE_POOL:
        faces = f"{roll.criticals_on} or more" if roll.criticals_on < SIDES else f"{SIDES}"
        found.append(f"Critical when two dice show {faces}, with {roll.criticals_from_pool}D or more.")
    if kind_of(roll.key) != "attack":
        found.append(
            f"Passive {number(roll.passive)}: 10, the modifier, and 5 for each die above or below {BASE_POOL}D."
        )
    return tuple(found)


def sorted_rows(solver: Solver, kinds: tuple[str, ...]) -> tuple[list[ActiveEffect], dict[Ref, list[ActiveEffect]]]:
    """The rows for these kinds of roll: the general ones, and by ref those for one subject or, without one, one
    ability."""
    known = solver.sorted.get(kinds)
    if known is None:
        plain: list[ActiveEffect] = []
        named: dict[Ref, list[ActiveEffect]] = {}
        for kind in kinds:
            for row in solver.rows.roll.get(kind, NO_ROWS):
                ref = row.effect.subject or row.effect.ability
                (named.setdefault(ref, []) if ref else plain).append(row)
        known = solver.sorted[kinds] = (plain, named)
    return known


def pool(by_aspect: ByAspect, steps: list[Step]) -> int:
    """The dice that rows add or take. Advantage and disadvantage count once each and cancel each other (section
    2.2)."""
    net = 0
    up, down = by_aspect.get("advantage", ()), by_aspect.get("disadvantage", ())
    for rows, rivals, opposite in ((up, down, "disadvantage"), (down, up, "advantage")):
        if not rows:
            continue
        rival = next((step for _, step in rivals if not step.why), None) if rivals else None
        counted = False
        for effect, step in rows:
            if not step.why:
                if rival is not None:
                    step = step._replace(applied=False, why=f"{CANCELED} {opposite} from {rival.source}")
                elif counted:
                    step = step._replace(applied=False, why=f"{effect.aspect} {ONCE}")
                else:
                    counted = True
                    net += step.amount
            steps.append(step)
    return net + bonuses(by_aspect.get("dice", ()), steps)


def stands(step: Step) -> bool:
    """True if a row of a pool counts, or would count if it were alone."""
    return step.applied or step.why.startswith(CANCELED) or step.why.endswith(ONCE)


def doubled(query: RollQuery, rows: Judged, solver: Solver, steps: list[Step]) -> int:
    """The amount that rows which multiply the skill bonus add to proficient rolls (section 8.4)."""
    total = 0
    for _, step in rows:
        why = step.why or ("" if query.proficient else "only when proficient")
        extra = solver.value(SKILL_BONUS) * (step.amount - 1)
        steps.append(step._replace(amount=extra, applied=not why, why=why))
        total += 0 if why else extra
    return total


def bonuses(rows: Judged, steps: list[Step]) -> int:
    """The sum of bonuses and penalties. In a stack group, only the best bonus and the worst penalty count."""
    total = 0
    for effect, step in rows:
        rival = counts_instead(effect, step, rows)
        if rival is not None:
            step = step._replace(applied=False, why=outdone_by(rival, step.source))
        steps.append(step)
        total += step.amount if step.applied else 0
    return total


def counts_instead(effect: Effect, step: Step, rows: Judged) -> Step | None:
    """The step in the same stack group that counts instead of this one; None if this one counts or does not apply
    anyway."""
    if not effect.stack_group or step.why:
        return None
    group = [other for row, other in rows if row.stack_group == effect.stack_group and not other.why]
    best = max((one for one in group if (one.amount < 0) == (step.amount < 0)), key=lambda one: abs(one.amount))
    return None if best is step else best


def subject_groups(element: Element) -> frozenset[Ref]:
    """The refs by which rows may name an item: itself, its category and its groups."""
    refs = {element.ref, *element.groups}
    if element.weapon:
        refs.add(element.weapon.category)
    return frozenset(refs)
