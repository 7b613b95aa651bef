"""A random character, which needs a name and nothing else."""

from dataclasses import replace
from random import Random

from rules.engine.build import Build
from rules.engine.bundle import Bundle
from rules.engine.random_answers import OwnWords
from rules.engine.sheet import Sheet

OWN_WORDS: OwnWords = {}
LEVEL_WORDS: OwnWords = {}


def with_ranks(bundle: Bundle, build: Build, chance: Random) -> Build:
    return build


def with_aspects(bundle: Bundle, build: Build, chance: Random) -> Build:
    return build


def with_outfit(bundle: Bundle, build: Build, sheet: Sheet, chance: Random) -> Build:
    return build


def with_the_rest(bundle: Bundle, build: Build, sheet: Sheet, chance: Random) -> Build:
    return replace(build, name=chance.choice(("Pim", "Nub", "Otto")))
