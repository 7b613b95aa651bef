"""The shortest way to something whose requirements are not met yet, through coming level picks."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from .build import Build
from .bundle import Bundle
from .content import Choice, Ref, Requirement
from .derive import derive
from .levels import LevelAnswer, answered
from .options import options_for
from .requirements import groups_of
from .sheet import Sheet

MOST_PICKS = 30
FAR = 1_000  # the distance of something that no pick brings nearer

type RequirementGroup = tuple[Requirement, ...]


@dataclass(frozen=True, slots=True)
class Here:
    """A character on the way: its build and sheet at that point, and the next level."""

    bundle: Bundle
    build: Build
    sheet: Sheet
    level: int


def way_to(bundle: Bundle, build: Build, ref: Ref, level: int) -> tuple[LevelAnswer, ...] | None:
    """The picks, one per level from `level` on, that lead to `ref`; the last answer takes it.

    If it can be taken at once, that answer is the only one. Each pick is the one that leaves the shortest distance to
    the requirements, with the fewest points. Since requirements only add up, this is a shortest way. A level where only
    waiting helps is left out. None if no picks lead there: because of a house rule, the storyteller's word, or a number
    that levels do not raise.
    """
    final = next((way for way in bundle.ways if ref in way.options), None)
    if final is None:
        return None
    here, picks = _at(bundle, build, level), list[LevelAnswer]()
    for _ in range(MOST_PICKS):
        offered = options_for(bundle, here.build, here.sheet, final.key, here.level)
        option = next(one for one in offered if one.ref == ref)
        if not option.why_not:
            return (*picks, LevelAnswer(final.key, here.level, (ref,)))
        groups = [_by_rank(bundle, group) for group in option.lacking]
        best = min(_steps(here, groups), key=lambda step: step[:2], default=None) if groups else None
        if best is None or best[0] >= _distance(here, groups):
            return None
        picks += [best[2]] if best[2] else []
        here = best[3]
    return None


def _at(bundle: Bundle, build: Build, level: int) -> Here:
    """The character with no more than `level` earned, so that later levels open nothing yet."""
    build = bundle.game.levels.at_level(bundle, build, level)
    return Here(bundle, build, derive(bundle, build), level)


def _steps(here: Here, groups: Sequence[RequirementGroup]) -> Iterator[tuple[int, int, LevelAnswer | None, Here]]:
    """Every step that may help on this level: the distance left after it, its points, the pick (None to wait), and the
    character after it."""
    asked = set(_tests(here, groups))
    if any(test.test == "level" for test in asked):
        there = _at(here.bundle, here.build, here.level + 1)
        yield _distance(there, groups), 0, None, there
    for way in here.bundle.ways:
        offered = options_for(here.bundle, here.build, here.sheet, way.key, here.level)
        free = [option.target for option in offered if not option.why_not]
        for targets in _targets(way, free, asked):
            answer = LevelAnswer(way.key, here.level, targets)
            there = _at(here.bundle, answered(here.bundle, here.build, [answer]), here.level + 1)
            if len(there.sheet.problems) <= len(here.sheet.problems):
                yield _distance(there, groups), len(targets), answer, there


def _targets(way: Choice, free: list[str], asked: set[Requirement]) -> Iterator[tuple[str, ...]]:
    """The targets of this choice that may help to meet a requirement."""
    stats = {test.stat for test in asked if test.test == "stat_min"}
    indirect = bool(stats - set(way.stats)) if way.stats else bool(stats)
    if way.mode == "spread":
        useful = free if indirect else [stat for stat in free if stat in stats]
        yield from ((stat,) * points for stat in useful for points in range(1, way.per_option_max + 1))
        yield from combinations([stat for stat in useful if stat in stats], 2)
    elif way.grant_as == "rank":
        yield from ((ref,) for ref in free if indirect or any(test.test == "rank" for test in asked))
    else:
        named = {test.ref for test in asked if test.test == "has"}
        yield from ((ref,) for ref in free if ref in named)


def _tests(here: Here, groups: Iterable[RequirementGroup]) -> Iterator[Requirement]:
    """Every test in these groups, and in the requirements of the things that they name."""
    for group in groups:
        for test in group:
            yield test
            if _to_take(here, test):
                yield from _tests(here, _own_groups(here.bundle, test.ref))


def _distance(here: Here, groups: Iterable[RequirementGroup]) -> int:
    """The distance to meeting all of these, in points, ranks and levels."""
    return sum(min(_apart(here, test) for test in group) for group in groups)


def _apart(here: Here, test: Requirement) -> int:
    if test.negate:
        return FAR
    match test.test:
        case "stat_min":
            return max(0, test.value - here.sheet.value(test.stat))
        case "level":
            return max(0, test.value - here.sheet.level)
        case "rank":
            return max(0, test.value - (here.sheet.active[test.ref].rank if test.ref in here.sheet.active else 0))
        case "has" if test.ref in here.sheet.active:
            return 0
        case "has" if _to_take(here, test):
            return 1 + _distance(here, _own_groups(here.bundle, test.ref))
    return FAR


def _to_take(here: Here, test: Requirement) -> bool:
    """True if the test asks for something that a level buys and that the character lacks."""
    if test.test != "has" or test.negate or test.ref in here.sheet.active:
        return False
    return any(test.ref in way.options for way in here.bundle.ways)


def _own_groups(bundle: Bundle, ref: Ref) -> list[RequirementGroup]:
    return [_by_rank(bundle, group) for group in groups_of(bundle.elements[ref].prerequisites)]


def _by_rank(bundle: Bundle, group: RequirementGroup) -> RequirementGroup:
    """The group, with each feature that a job gives at some rank replaced by that rank."""
    return tuple(one for test in group for one in _ranks_of(bundle, test))


def _ranks_of(bundle: Bundle, test: Requirement) -> tuple[Requirement, ...]:
    ranks = tuple(
        replace(test, test="rank", ref=effect.owner, value=max(1, effect.from_rank))
        for element in bundle.of_kind("job")
        for effect in element.effects
        if test.test == "has" and effect.kind == "grant" and effect.grant_as == "gain" and effect.element == test.ref
    )
    return ranks or (test,)
