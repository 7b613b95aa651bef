"""The list of figures.

A figure is a function that is registered under a name. `@computed` ones answer a callable to be timed; `@served` ones
take the site's Host and answer the Load to put on it; `@visited` ones answer the Request to be opened in a browser;
`@told` ones take the Host, measure for themselves and answer a line to print, which ends with MISSED where a promise
was not kept.
"""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """`target`: the most that the ratio to `against` may be; `size`: the most that the bytes' may; `queries`: the most
    queries. None where nothing was promised."""

    name: str
    kind: str
    prepare: Callable
    target: float | None = None
    against: str = "page"
    queries: int | None = None
    size: float | None = None

    def missed(self, ratio=None, size=None, queries=None) -> bool:
        """True if one of these is more than was promised."""
        pairs = ((ratio, self.target), (size, self.size), (queries, self.queries))
        return any(found is not None and most is not None and found > most for found, most in pairs)


FIGURES: list[Figure] = []


def computed(name, **promised):
    return register(name, "computed", **promised)


def served(name, **promised):
    return register(name, "served", **promised)


def visited(name, *, target):
    return register(name, "visited", target=target)


def told(name):
    return register(name, "told")


def register(name, kind, **promised):
    def decorate(prepare):
        FIGURES.append(Figure(name, kind, prepare, **promised))
        return prepare

    return decorate


def finish(missed: list[str], *, of: int) -> None:
    """Print that all is well, or leave with an error that names the figures that missed a target."""
    if missed:
        raise SystemExit(f"{len(missed)} of {of} figures missed a target: {'; '.join(missed)}")
    print(f"None of {of} figures missed a target.")
