from rules.engine.build import Build
from rules.engine.bundle import Bundle
from rules.engine.gather import gather
from rules.engine.solve import Solver, collect

from ..level import given, level_of


def solver_of(bundle: Bundle, build: Build) -> Solver:
    """A solver for questions that the sheet does not answer in advance."""
    found = gather(bundle, build, level_of(bundle, build))
    return Solver(found, collect(found), given(found))
