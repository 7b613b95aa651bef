"""Spends a character's open levels at random."""

from random import Random

from .build import Build
from .bundle import Bundle
from .derive import derive
from .levels import LevelAnswer, answered, next_level
from .options import options_for
from .random_answers import OwnWords, answer_all

RANKS_TO_ONE = 4  # how much likelier a rank in a job is than each other way
MOST_PICKS = 60  # more than anyone plays through, and quick enough to wait for


def climb(bundle: Bundle, build: Build, chance: Random, own_words: OwnWords) -> Build:
    """Spend every earned and open level, in order, and answer the questions of each pick.

    If nothing can be taken at a level, that level and all later ones stay open, and so do levels past MOST_PICKS.
    own_words: as for `answer_all`.
    """
    earned = bundle.game.levels.level_of(bundle, build)
    for _ in range(MOST_PICKS):
        level = next_level(bundle, build)
        pick = a_pick(bundle, build, level, chance) if level <= earned else None
        if pick is None:
            break
        build = answer_all(bundle, answered(bundle, build, [pick]), chance, own_words)
    return build


def a_pick(bundle: Bundle, build: Build, level: int, chance: Random) -> LevelAnswer | None:
    """Something to spend the level on; None if nothing can be taken. The level must be earned and open in the build."""
    sheet, found = derive(bundle, build), list[LevelAnswer]()
    for way in bundle.ways:
        options = [one for one in options_for(bundle, build, sheet, way.key, level) if not one.why_not]
        if way.mode == "spread":
            points = [one.stat for one in options for _ in range(one.room)]
            if len(points) >= way.count:
                found.append(LevelAnswer(way.key, level, tuple(chance.sample(points, way.count))))
        elif options:
            pick = LevelAnswer(way.key, level, (chance.choice(options).ref,))
            found += [pick] * (RANKS_TO_ONE if way.grant_as == "rank" else 1)
    return chance.choice(found) if found else None
