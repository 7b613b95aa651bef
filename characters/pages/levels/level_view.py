"""Where a level's pick is judged from: the character as it is, with another pick at that level, or as it is planned."""

from dataclasses import dataclass, replace

from characters.pages.builder.desk import Desk
from rules.engine import derive
from rules.engine.build import Build, Decision
from rules.engine.levels import next_level, pick_at, planned, planned_levels, taken, without_pick
from rules.engine.sheet import Sheet


@dataclass(frozen=True)
class Stand:
    """mode: up, change or plan. build is what the pick goes into, sheet what the page compares with.

    free is the build with this level not spent, which says what is offered.
    """

    desk: Desk
    mode: str
    level: int
    build: Build
    sheet: Sheet
    free: Build

    @property
    def bundle(self):
        return self.desk.bundle

    @property
    def earned(self) -> bool:
        """Whether a pick may be stored here: a plan may run ahead of the experience."""
        return self.mode == "plan" or self.level <= self.desk.sheet.level

    @property
    def present(self) -> tuple[Decision, ...]:
        """What this level is spent on, or as long as it is not, what it is planned for."""
        build = self.desk.build
        return pick_at(self.bundle, build.decisions if self.mode == "change" else build.plan, self.level)

    @property
    def free_sheet(self) -> Sheet:
        return self.sheet if self.free is self.build else derive(self.bundle, self.free)


def to_take(desk: Desk) -> Stand:
    """The next level; one that is not earned yet is looked at as if its experience were there."""
    level = next_level(desk.bundle, desk.build)
    if level <= desk.sheet.level:
        return Stand(desk, "up", level, desk.build, desk.sheet, desk.build)
    build = desk.game.levels.at_level(desk.bundle, desk.build, level)
    return Stand(desk, "up", level, build, derive(desk.bundle, build), build)


def to_change(desk: Desk, level: int) -> Stand | None:
    """None when that level is not taken."""
    if level not in taken(desk.bundle, desk.build.decisions):
        return None
    return Stand(desk, "change", level, desk.build, desk.sheet, without_pick(desk.bundle, desk.build, level))


def to_plan(desk: Desk, level: int) -> Stand | None:
    """None when that level is taken, or when one before it is neither taken nor planned."""
    if level in taken(desk.bundle, desk.build.decisions) or level > plannable(desk):
        return None
    there = planned(desk.bundle, desk.build, level)
    build = replace(there, decisions=tuple(d for d in there.decisions if d.level != level))
    return Stand(desk, "plan", level, build, derive(desk.bundle, build), build)


def plannable(desk: Desk) -> int:
    """The first level that is neither taken nor planned."""
    level, ahead = next_level(desk.bundle, desk.build), planned_levels(desk.bundle, desk.build)
    while level in ahead:
        level += 1
    return level
