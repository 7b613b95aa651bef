"""The character by which a level's pick is judged: as it is, with another pick at that level, or as planned."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace

from characters.pages.builder.builder_character import BuilderCharacter
from rules.engine import Bundle, derive
from rules.engine.build import Build, Decision
from rules.engine.levels import next_level, next_to_plan, pick_at, planned, taken, without_pick
from rules.engine.sheet import Sheet


@dataclass(frozen=True)
class LevelView:
    """mode: up, change or plan. build: what the pick is added to; sheet: what the page compares with; free: the build
    with this level not spent, which decides what is offered."""

    opened: BuilderCharacter
    mode: str
    level: int
    build: Build
    sheet: Sheet
    free: Build

    @property
    def bundle(self) -> Bundle:
        return self.opened.bundle

    @property
    def earned(self) -> bool:
        """True if a pick may be stored here; a plan may run ahead of the experience."""
        return self.mode == "plan" or self.level <= self.opened.sheet.level

    @property
    def present(self) -> tuple[Decision, ...]:
        """The decisions that the level is spent on or, if it is not taken, that are planned for it."""
        build = self.opened.build
        return pick_at(self.bundle, build.decisions if self.mode == "change" else build.plan, self.level)

    @property
    def free_sheet(self) -> Sheet:
        return self.sheet if self.free is self.build else self.once("free", lambda: derive(self.bundle, self.free))

    def once[T](self, key: Hashable, make: Callable[[], T]) -> T:
        """A value that depends only on the character's version and this level, worked out once (`Version.once`)."""
        return self.opened.version.once((self.mode, self.level, key), make)


def to_take(opened: BuilderCharacter) -> LevelView:
    """The next level. One that is not earned yet is shown as if its experience were there."""
    level = next_level(opened.bundle, opened.build)
    if level <= opened.sheet.level:
        return LevelView(opened, "up", level, opened.build, opened.sheet, opened.build)
    build = opened.game.levels.at_level(opened.bundle, opened.build, level)
    sheet = opened.version.once(("earned", level), lambda: derive(opened.bundle, build))
    return LevelView(opened, "up", level, build, sheet, build)


def to_change(opened: BuilderCharacter, level: int) -> LevelView | None:
    """A level that is taken; None if it is not."""
    if level not in taken(opened.bundle, opened.build.decisions):
        return None
    return LevelView(
        opened, "change", level, opened.build, opened.sheet, without_pick(opened.bundle, opened.build, level)
    )


def to_plan(opened: BuilderCharacter, level: int) -> LevelView | None:
    """A level to come; None if it is taken, or if one before it is neither taken nor planned."""
    if level in taken(opened.bundle, opened.build.decisions) or level > next_to_plan(opened.bundle, opened.build):
        return None
    there = planned(opened.bundle, opened.build, level)
    build = replace(there, decisions=tuple(d for d in there.decisions if d.level != level))
    sheet = opened.version.once(("planned", level), lambda: derive(opened.bundle, build))
    return LevelView(opened, "plan", level, build, sheet, build)
