"""Mutants drawn at random, each tried by the tests that reach its lines: `make mutants`.

python -m tests.mutation --draw 200 --seed 23 rules characters/change/journal.py

Django starts once. A run of all tests notes which lines each of them reaches. Then each mutant gets a fork of the
process that has imported everything and made the database, and the tests that reach it run there until one fails.
Mutants that survive are tried again in a process of their own, and then checked by mypy.
"""

import argparse
import sys

import pytest

from . import mutants
from .verdicts import Trial

OF = [
    "rules",
    "characters/change/draft.py",
    "characters/change/journal.py",
    "characters/access.py",
    "characters/verbs",
    "characters/actions",
]
TESTS = ["tests/rules", "tests/games", "tests/characters", "tests/campaigns", "tests/test_access.py"]


def main():
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__.split("\n")[0])
    parser.add_argument("paths", nargs="*", default=OF)
    parser.add_argument("--draw", type=int, default=200, help="how many mutants")
    parser.add_argument("--seed", type=int, default=23)
    parser.add_argument("--skip", type=int, default=0, help="the first of the sample, which another process tries")
    parser.add_argument("--at-most", type=int, default=1000, help="how many tests try one mutant")
    parser.add_argument("--tests", nargs="*", default=TESTS)
    parser.add_argument("--reach", help="a file to keep in which test reaches which line, and to read it from")
    asked = parser.parse_args()
    sample, of = mutants.draw(asked.paths, asked.draw, asked.seed, asked.skip)
    print(f"{len(sample)} of {of} mutants, seed {asked.seed}", flush=True)
    trial = Trial(sample, asked.at_most, asked.reach)
    quiet = ["-q", "-s", "--tb=no", "-p", "no:warnings"]
    which = ["-n", "0", "-m", "not slow and not browser", *asked.tests]
    sys.exit(pytest.main([*quiet, *which], plugins=[trial]))


if __name__ == "__main__":
    main()
