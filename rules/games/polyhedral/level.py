"""Level from experience, and the numbers that follow from job ranks (section 4, rulings 13 and 14)."""

from collections.abc import Mapping
from dataclasses import replace

from rules.engine.build import Build
from rules.engine.bundle import Bundle
from rules.engine.facts import Gathered, number
from rules.engine.sheet import Step, Value, make
from rules.games.house_rules import setting

HIGHEST = 10_000
NAME, MILESTONE = "level", "Milestone"
EXPERIENCE, POINTS = "experience", "XP"
STARTING = "startingLevel"


def level_of(bundle: Bundle, build: Build) -> int:
    """The character's level: 1 + XP / 1000 rounded down, or the milestone the storyteller set. At least 1."""
    return max(1, min(earned_level(bundle, build), HIGHEST))


def earned_level(bundle: Bundle, build: Build) -> int:
    """The level before it is limited. The rules have no highest level (section 4), but a sheet needs one."""
    if by_milestone(bundle, build) and build.milestone is not None:
        return build.milestone
    return 1 + build.xp // xp_per_level(bundle, build)


def xp_per_level(bundle: Bundle, build: Build) -> int:
    return max(1, number(setting(bundle, build, "xpPerLevel") or "1000"))


def in_words(level: int) -> str:
    return f"Level {level}"


def at_level(bundle: Bundle, build: Build, level: int) -> Build:
    """The build with exactly the experience, or the milestone, for `level`. Its decisions stay."""
    if by_milestone(bundle, build):
        return replace(build, milestone=level)
    return replace(build, xp=xp_for(bundle, build, level))


def xp_for(bundle: Bundle, build: Build, level: int) -> int:
    """The experience at which `level` begins (section 4, ruling 13)."""
    return (level - 1) * xp_per_level(bundle, build)


def starting_level(bundle: Bundle, build: Build) -> int:
    """The level that a new character begins at under its house rules (rulings 13 and 14)."""
    return max(1, min(number(setting(bundle, build, STARTING) or "1"), HIGHEST))


def at_start(bundle: Bundle, build: Build) -> Build:
    """The build with the experience, or the milestone, of a new character."""
    return at_level(bundle, build, starting_level(bundle, build))


def under(bundle: Bundle, build: Build, switches: Mapping[str, str]) -> Build:
    """The build under these house rules. If it has gained nothing yet, it gets the starting level that they set."""
    other, start = replace(build, switches=switches), starting_level(bundle, build)
    gained = level_of(bundle, build) != start or not (
        by_milestone(bundle, build) or build.xp == xp_for(bundle, build, start)
    )
    if gained or level_of(bundle, other) == starting_level(bundle, other):
        return other
    return at_start(bundle, other)


def by_milestone(bundle: Bundle, build: Build) -> bool:
    """True if the storyteller gives out levels instead of experience."""
    return setting(bundle, build, "advancement") == "milestone"


# House rules that nothing reads yet. A file may hold them, but no page offers them.
UNREAD = frozenset({
    "abilitySet", "creaturesDieAtZero", "currency", "downtimeRules", "encumbrance",
})  # fmt: skip
# Values of house rules that make a difference only at a table.
OF_TABLES = frozenset({("abilityMethod", "rollShared")})


def given(found: Gathered) -> dict[str, Value]:
    """The numbers that no row makes: level, the rank in each job, and all job ranks together."""
    level = found.level
    values = {"level": Value("level", level, (Step("Core rules", level_words(found), level, op="base"),))}
    total = 0
    for ref, node in sorted(found.nodes.items()):
        if node.element.kind == "job":
            rank = node.rank(level)
            total += rank
            steps = tuple(
                make(Step, (node.element.name, f"taken at level {at}", 1, True, "", "", "add", (), ref))
                for at in node.ranks or ()
            )
            values[f"rank.{node.element.slug}"] = Value(f"rank.{node.element.slug}", rank, steps)
    for element in found.bundle.of_kind("job"):
        values.setdefault(f"rank.{element.slug}", Value(f"rank.{element.slug}", 0))
    values["job-ranks"] = Value("job-ranks", total, (Step("Jobs", "all ranks together", total, op="base"),))
    return values


def level_words(found: Gathered) -> str:
    if found.switch("advancement") == "milestone" and found.build.milestone is not None:
        return "the storyteller’s milestone"
    return f"{found.build.xp:,} {POINTS}"
