"""Single levels: the ways to spend one, the questions that a pick raises, and the build with it, without it, or as
planned.

Everything here is pure: a page previews with the same functions that check the commit.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from .build import Build, Decision
from .bundle import Bundle
from .content import Choice, Ref
from .derive import derive, solved
from .sheet import ChoiceLine, Sheet


@dataclass(frozen=True, slots=True)
class LevelAnswer:
    """The answer to one choice at one level. Each target is a ref, a statistic's key (once per point) or own words."""

    choice: str
    level: int
    targets: tuple[str, ...]
    override: str = ""


@dataclass(frozen=True, slots=True)
class LevelQuestion:
    """A question that a pick raises: the number of answers it asks for, and the level they belong to.

    swap: an earlier answer may be exchanged here, but need not be. now: the present answers.
    """

    choice: Choice
    level: int
    needs: int
    swap: bool = False
    now: tuple[str, ...] = ()


def taken(bundle: Bundle, decisions: Iterable[Decision]) -> dict[int, Choice]:
    """The levels that have a pick, in order, each with the choice it was spent on."""
    found = {d.level: bundle.choices[d.choice] for d in decisions if d.choice in bundle.way_keys}
    return dict(sorted(found.items()))


def pick_at(bundle: Bundle, decisions: Iterable[Decision], level: int) -> tuple[Decision, ...]:
    """The decisions that this level is spent on; empty if it has no pick."""
    return tuple(d for d in decisions if d.level == level and d.choice in bundle.way_keys)


def next_level(bundle: Bundle, build: Build) -> int:
    """The lowest level without a pick, earned or not: levels are taken in order."""
    spent = taken(bundle, build.decisions)
    level = min((choice.from_rank for choice in bundle.ways), default=2)
    while level in spent:
        level += 1
    return level


def decisions_of(bundle: Bundle, answer: LevelAnswer) -> tuple[Decision, ...]:
    """The decisions, as stored, that an answer stands for."""
    return tuple(
        Decision(
            answer.choice,
            answer.level,
            position,
            ref=target if target in bundle.elements else "",
            stat=target if target in bundle.stats else "",
            write_in="" if target in bundle.elements or target in bundle.stats else target,
            points=answer.targets.count(target),
            override=answer.override,
        )
        for position, target in enumerate(dict.fromkeys(answer.targets))
    )


def without_pick(bundle: Bundle, build: Build, level: int) -> Build:
    """The build without the pick of this level. Everything else chosen at that level stays."""
    kept = tuple(d for d in build.decisions if d.level != level or d.choice not in bundle.way_keys)
    return replace(build, decisions=kept)


def answered(bundle: Bundle, build: Build, answers: Sequence[LevelAnswer]) -> Build:
    """The build with these answers in place of earlier ones. A pick also replaces a pick by another choice at that
    level."""
    own = bundle.way_keys
    places = {(answer.choice, answer.level) for answer in answers}
    places |= {(key, answer.level) for answer in answers if answer.choice in own for key in own}
    kept = tuple(d for d in build.decisions if (d.choice, d.level) not in places)
    return replace(build, decisions=kept + tuple(d for answer in answers for d in decisions_of(bundle, answer)))


def questions_raised(
    now: Sheet,
    with_pick: Sheet,
    with_answers: Sheet,
    ranked_up: Collection[Ref],
    level: int,
    answers: Sequence[LevelAnswer],
) -> tuple[LevelQuestion, ...]:
    """The questions that a pick at `level` raises; the swaps that it allows come last.

    A choice is a question if the pick opens more of it, or if one of the answers is to it. It is a swap if it is
    replaceable and answered now, and its owner is in `ranked_up` (the elements that gain a rank by the pick).

    now: the present sheet, which has another pick if the level is taken. with_pick: the sheet with only the new pick.
    with_answers: the sheet with the pick and the answers so far, which may raise further questions.
    """
    before, made_without_answers = _asked_at(now, level), _asked_at(with_pick, level)
    answered_here = {(answer.choice, answer.level) for answer in answers}
    questions: dict[str, LevelQuestion] = {}
    swaps = []
    for place, line in _asked_at(with_answers, level).items():
        choice, old = line.choice, before.get(place)
        if choice.replaceable and old and not old.open and choice.owner in ranked_up:
            swaps.append(LevelQuestion(choice, level, line.needs, True, old.chosen))
        elif line.open > (old.open if old else 0) or place in answered_here:
            made = made_without_answers[place].made if place in made_without_answers else 0
            if line.needs > made:  # later levels may ask the same choice again, but that can wait
                questions.setdefault(choice.key, LevelQuestion(choice, line.level, line.needs - made))
    return (*questions.values(), *swaps)


def _asked_at(sheet: Sheet, level: int) -> dict[tuple[str, int], ChoiceLine]:
    """The choices of the sheet, except the ways to spend a level, by choice and level. Those of earlier levels can be
    answered at `level`, so all that one choice asks up to then is one question."""
    found: dict[tuple[str, int], ChoiceLine] = {}
    for line in sheet.choices:
        if not line.choice.budget:
            place = line.choice.key, max(level, line.level)
            more = found.get(place)
            needs, made = (line.needs + more.needs, line.made + more.made) if more else (line.needs, line.made)
            chosen = (*more.chosen, *line.chosen) if more else line.chosen
            found[place] = line._replace(needs=needs, made=made, level=place[1], chosen=chosen)
    return found


@dataclass(frozen=True, slots=True)
class Tried:
    """A level spent on trial: the build and its sheet, the questions raised, and the answers that were used."""

    build: Build
    sheet: Sheet
    asked: tuple[LevelQuestion, ...]
    answers: tuple[LevelAnswer, ...]


def tried(bundle: Bundle, build: Build, now: Sheet, pick: LevelAnswer, given: Mapping[str, Sequence[str]]) -> Tried:
    """The character as it would be with this level spent on `pick`. `given` has the targets, by choice, for the
    questions that follow. `now` is the sheet of the build.

    Nothing is checked: anything that breaks the rules is a problem of the sheet. Answers that no question asks for are
    left out.
    """
    unspent = now.solver.found
    if pick.level in taken(bundle, build.decisions):
        unspent = solved(bundle, without_pick(bundle, build, pick.level)).found
    build = answered(bundle, build, [pick])
    with_pick = sheet = derive(bundle, build)
    ranked_up = {ref for ref, has in with_pick.active.items() if unspent.has(ref) and has.rank > unspent.rank(ref)}
    answers: list[LevelAnswer] = []
    while True:
        questions = questions_raised(now, with_pick, sheet, ranked_up, pick.level, answers)
        used = {answer.choice for answer in answers}
        one = next((q for q in questions if given.get(q.choice.key) and q.choice.key not in used), None)
        if one is None:
            return Tried(build, sheet, questions, tuple(answers))
        answer = LevelAnswer(one.choice.key, one.level, tuple(given[one.choice.key]))
        answers.append(answer)
        kept = tuple(d for d in build.decisions if not superseded(one, d.choice))
        build = answered(bundle, replace(build, decisions=kept), [answer])
        sheet = derive(bundle, build)


def superseded(question: LevelQuestion, choice: str) -> bool:
    """True if the answer to the question replaces an earlier answer to `choice`, which then no longer counts."""
    one = question.choice
    single = one.count == 1 and not (one.every or one.count_of or one.for_duplicates)
    return choice == one.key and single and not question.swap


def planned(bundle: Bundle, build: Build, level: int) -> Build:
    """The build with the plan carried out for every untaken level up to `level`.

    The result has no plan of its own.
    """
    spent = taken(bundle, build.decisions)
    ahead = tuple(d for d in build.plan if d.level <= level and d.level not in spent)
    standing = bundle.game.levels.at_level(bundle, build, level)
    return replace(standing, decisions=build.decisions + ahead, plan=())


def planned_levels(bundle: Bundle, build: Build) -> dict[int, Choice]:
    """The levels that are planned and not taken, in order, each with the choice it is planned for."""
    spent = taken(bundle, build.decisions)
    return {level: choice for level, choice in taken(bundle, build.plan).items() if level not in spent}


def next_to_plan(bundle: Bundle, build: Build) -> int:
    """The lowest level that is neither taken nor planned: plans are made in order, too."""
    level, ahead = next_level(bundle, build), planned_levels(bundle, build)
    while level in ahead:
        level += 1
    return level


def problems_by_level(bundle: Bundle, build: Build, sheet: Sheet) -> Mapping[int, tuple[str, ...]]:
    """The problems of decisions above creation, as sentences by the level at which each was decided."""
    paths = bundle.game.paths
    levels = paths.levels_of(build.decisions)
    places: dict[str, int] = {}
    for decision in build.decisions:
        if decision.level > 1:
            places.setdefault(paths.decision_path(decision, levels), decision.level)
    found: dict[int, list[str]] = {}
    for problem in sheet.problems:
        if problem.where in places:
            found.setdefault(places[problem.where], []).append(problem.text)
    return {level: tuple(dict.fromkeys(texts)) for level, texts in sorted(found.items())}
