"""A character as it was at an earlier level, or as planned at a later one."""

from dataclasses import replace

from .build import Build
from .bundle import Bundle
from .levels import planned


def build_at_level(bundle: Bundle, build: Build, level: int) -> Build:
    """The build at `level`, 1 or more: only the decisions up to it, and exactly the experience that it needs.

    At the present level this is the build itself. Above it, the plan is followed as far as it goes. Belongings, state
    and everything else that has no level stay as they are.
    """
    now = bundle.game.levels.level_of(bundle, build)
    if level == now:
        return build
    return planned(bundle, build, level) if level > now else up_to(bundle, build, level)


def up_to(bundle: Bundle, build: Build, level: int) -> Build:
    """The build with only the decisions up to this level and exactly the experience that it needs, without a plan."""
    standing = bundle.game.levels.at_level(bundle, build, level)
    return replace(standing, decisions=tuple(d for d in build.decisions if d.level <= level), plan=())


def last_level(bundle: Bundle, build: Build) -> int:
    """The highest level with something to show: the present one, or a later one that has decisions or a plan."""
    now = bundle.game.levels.level_of(bundle, build)
    return max(now, *(d.level for d in (*build.decisions, *build.plan)), 1)


def rested(build: Build) -> Build:
    """The build with nothing spent or lost, no conditions, and no circumstance switched on."""
    return replace(build, spent={}, left={}, conditions=(), toggles=frozenset(), rest="", rest_dice=0)
