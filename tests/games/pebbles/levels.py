"""A level for every ten waves of surf, which this game calls a tide."""

from collections.abc import Mapping
from dataclasses import replace

from rules.engine.build import Build
from rules.engine.bundle import Bundle
from rules.engine.facts import Gathered
from rules.engine.sheet import Step, Value

A_LEVEL = 10
NAME, MILESTONE = "tide", "High water"
EXPERIENCE, POINTS = "surf", "waves"
STARTING = ""


def level_of(bundle: Bundle, build: Build) -> int:
    return 1 + build.xp // A_LEVEL


def in_words(level: int) -> str:
    return f"Tide {level}"


def at_level(bundle: Bundle, build: Build, level: int) -> Build:
    return replace(build, xp=xp_for(bundle, build, level))


def xp_for(bundle: Bundle, build: Build, level: int) -> int:
    return (level - 1) * A_LEVEL


def at_start(bundle: Bundle, build: Build) -> Build:
    return build


def under(bundle: Bundle, build: Build, switches: Mapping[str, str]) -> Build:
    return replace(build, switches=switches)


def by_milestone(bundle: Bundle, build: Build) -> bool:
    return False


def given(found: Gathered) -> dict[str, Value]:
    why = Step("How to throw", f"{found.build.xp} {POINTS}", found.level, op="base")
    return {"level": Value("level", found.level, (why,))}
