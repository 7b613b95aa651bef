"""The character for which a level's pick is judged: as it is, with another pick at that level, or as planned."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

from characters.pages.builder.builder_character import BuilderCharacter
from rules.engine import Bundle, derive, options_for
from rules.engine.build import Build, Decision
from rules.engine.levels import next_level, next_to_plan, pick_at, planned, taken, without_pick
from rules.engine.sheet import Option, Sheet


@dataclass(frozen=True)
class LevelView:
    """One level whose pick is made (up), made anew (change) or planned (plan).

    build: what a new pick is put into, in place of the level's present one; sheet: of that build, with which the page
    compares. unspent: the build with this level not spent, which decides what is offered. stored_pick: the decisions
    that the level is spent on or, if it is not taken, that are planned for it.
    """

    opened: BuilderCharacter
    mode: Literal["up", "change", "plan"]
    level: int
    build: Build
    sheet: Sheet
    unspent: Build
    stored_pick: tuple[Decision, ...]

    @property
    def bundle(self) -> Bundle:
        return self.opened.bundle

    @property
    def may_store(self) -> bool:
        """True if the character has the experience for a pick at this level; a plan needs none."""
        return self.mode == "plan" or self.level <= self.opened.sheet.level

    @property
    def unspent_sheet(self) -> Sheet:
        if self.unspent is self.build:
            return self.sheet
        return self.once("unspent", lambda: derive(self.bundle, self.unspent))

    def offered(self, way: str) -> tuple[Option, ...]:
        """All that this way to spend the level offers."""
        made = partial(options_for, self.bundle, self.unspent, self.unspent_sheet, way, self.level)
        return self.once(("offered", way), made)

    def once[T](self, key: Hashable, make: Callable[[], T]) -> T:
        """A value that depends only on the character's version and this level, worked out once (`Version.once`)."""
        return self.opened.version.once((self.mode, self.level, key), make)


def to_take(opened: BuilderCharacter) -> LevelView:
    """The next level. One that is not earned yet is shown as if its experience were there."""
    level, build, sheet = next_level(opened.bundle, opened.build), opened.build, opened.sheet
    if level > opened.sheet.level:
        build = opened.game.levels.at_level(opened.bundle, opened.build, level)
        sheet = opened.version.once(("earned", level), lambda: derive(opened.bundle, build))
    return LevelView(opened, "up", level, build, sheet, build, pick_at(opened.bundle, opened.build.plan, level))


def to_change(opened: BuilderCharacter, level: int) -> LevelView | None:
    """A level that is taken; None if it is not."""
    bundle, build = opened.bundle, opened.build
    if level not in taken(bundle, build.decisions):
        return None
    unspent, stored_pick = without_pick(bundle, build, level), pick_at(bundle, build.decisions, level)
    return LevelView(opened, "change", level, build, opened.sheet, unspent, stored_pick)


def to_plan(opened: BuilderCharacter, level: int) -> LevelView | None:
    """A level to come; None if it is taken, if one before it is neither taken nor planned, or if it has no pick."""
    to_come = next_level(opened.bundle, opened.build) <= level <= next_to_plan(opened.bundle, opened.build)
    if not to_come or level in taken(opened.bundle, opened.build.decisions):
        return None
    there = planned(opened.bundle, opened.build, level)
    build = replace(there, decisions=tuple(d for d in there.decisions if d.level != level))
    sheet = opened.version.once(("planned", level), lambda: derive(opened.bundle, build))
    stored_pick = pick_at(opened.bundle, opened.build.plan, level)
    return LevelView(opened, "plan", level, build, sheet, build, stored_pick)
