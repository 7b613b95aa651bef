"""A game's view of a character, in sections that are made when a template first reads them."""

from collections.abc import Callable
from functools import cached_property

from rules.engine.build import Build
from rules.engine.bundle import Bundle
from rules.engine.sheet import Sheet


class View:
    """The base of such views. A subclass lists its sections: `name = section(function)`."""

    def __init__(self, bundle: Bundle, build: Build, sheet: Sheet):
        self.bundle, self.build, self.sheet = bundle, build, sheet


def section[Shown](make: Callable[[Bundle, Build, Sheet], Shown]) -> cached_property[Shown]:
    """A section of a View: the result of `make(bundle, build, sheet)`."""
    return cached_property(lambda view: make(view.bundle, view.build, view.sheet))
