"""A character's levels as rows: the pick of each, the answers given with it, and the problems of both."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from characters.change.draft import Draft
from characters.change.refusals import Refused
from characters.pages.builder.builder_character import BuilderCharacter
from characters.verbs.leveling import spend
from characters.verbs.plan import plan_of
from rules.engine import Bundle, derive
from rules.engine.build import Build, Decision
from rules.engine.levels import next_level, pick_at, planned, planned_levels, problems_by_level, taken
from rules.engine.sheet import Sheet

from .pick_names import in_words


@dataclass(frozen=True)
class AnswerLine:
    """Something chosen at a level besides its pick."""

    choice: str
    prompt: str
    name: str


@dataclass(frozen=True)
class LevelRow:
    level: int
    pick: str
    answers: tuple[AnswerLine, ...]
    problems: tuple[str, ...]
    overrides: tuple[str, ...] = ()
    over_drawn: bool = False
    last: bool = False


@dataclass(frozen=True)
class LevelSummary:
    """Levels at a glance, for this page and for the sheet."""

    level: int
    earned: int
    taken: int
    open: int
    next: int
    over_drawn: tuple[int, ...]
    planned: tuple[LevelRow, ...]


def level_summary(bundle: Bundle, build: Build, sheet: Sheet) -> LevelSummary:
    spent = taken(bundle, build.decisions)
    following = next_level(bundle, build)
    return LevelSummary(
        level=sheet.level,
        earned=sheet.picks.earned,
        taken=len(spent),
        open=sum(level not in spent for level in range(2, sheet.level + 1)) if bundle.ways else 0,
        next=following,
        over_drawn=tuple(level for level in spent if level > sheet.level),
        planned=planned_rows(bundle, build),
    )


@dataclass(frozen=True)
class AsPlanned:
    """The plan for the next level, and the sentence that would refuse it."""

    row: LevelRow
    earned: bool
    why_not: str


def as_planned(opened: BuilderCharacter, now: LevelSummary) -> AsPlanned | None:
    """The plan for the next level, tried with the verb itself; None if there is no plan."""
    row = next((row for row in now.planned if row.level == now.next), None)
    if row is None:
        return None
    draft = Draft(opened.character, opened.stored)
    try:
        spend(draft, row.level, plan_of(draft, row.level))
    except Refused as refused:
        return AsPlanned(row, row.level <= now.level, refused.sentence)
    return AsPlanned(row, True, "")


def taken_rows(opened: BuilderCharacter, problems: Mapping[int, tuple[str, ...]]) -> tuple[LevelRow, ...]:
    """Every level at which something was decided, the newest first, with its problems by `problems_by_level`."""
    bundle, build = opened.bundle, opened.build
    levels = by_level(build.decisions)
    last = max(taken(bundle, build.decisions), default=0)
    return tuple(
        _row(
            bundle,
            levels[level],
            build.decisions,
            level,
            problems.get(level, ()),
            over_drawn=opened.sheet.level < level,
            last=level == last,
        )
        for level in sorted(levels, reverse=True)
        if level > 1
    )


def planned_rows(bundle: Bundle, build: Build) -> tuple[LevelRow, ...]:
    """The plan, level by level, with the problems that it would have if carried out to its end."""
    ahead = planned_levels(bundle, build)
    if not ahead:
        return ()
    there = planned(bundle, build, max(ahead))
    problems = problems_by_level(bundle, there, derive(bundle, there))
    levels = by_level(build.plan)
    return tuple(_row(bundle, levels[level], there.decisions, level, problems.get(level, ())) for level in ahead)


def by_level(decisions: Iterable[Decision]) -> dict[int, list[Decision]]:
    found: dict[int, list[Decision]] = {}
    for decision in decisions:
        found.setdefault(decision.level, []).append(decision)
    return found


def _row(
    bundle: Bundle,
    own: Sequence[Decision],
    among: Iterable[Decision],
    level: int,
    problems: tuple[str, ...],
    *,
    over_drawn: bool = False,
    last: bool = False,
) -> LevelRow:
    pick = pick_at(bundle, own, level)
    others: dict[str, list[Decision]] = {}
    for one in own:
        if one not in pick:
            others.setdefault(one.choice, []).append(one)
    return LevelRow(
        level=level,
        pick=in_words(bundle, pick, among) if pick else "",
        answers=tuple(
            AnswerLine(key, bundle.choices[key].prompt if key in bundle.choices else key, in_words(bundle, made))
            for key, made in others.items()
        ),
        problems=problems,
        overrides=tuple(dict.fromkeys(one.override for one in (*pick, *sum(others.values(), [])) if one.override)),
        over_drawn=over_drawn,
        last=last,
    )
