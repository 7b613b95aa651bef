"""The list of figures.

A figure is a function registered under a name. `@computed` ones return a callable to time. `@served` ones take the
site's Host and return the Load to put on it. `@told` ones take the Host, do their own measuring and return a line to
print, `judged` if they have a target.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial


@dataclass(frozen=True)
class Figure:
    """A figure and its limits: `target` for the ratio to `against`, `size` for the ratio of bytes, `queries` for the
    number of queries. None means no limit."""

    name: str
    kind: str
    prepare: Callable
    target: float | None = None
    against: str = "page"
    queries: int | None = None
    size: float | None = None

    def missed(self, ratio=None, size=None, queries=None) -> bool:
        """True if one of these is over its limit."""
        pairs = ((ratio, self.target), (size, self.size), (queries, self.queries))
        return any(found is not None and most is not None and found > most for found, most in pairs)


FIGURES: list[Figure] = []


def judged(line: str, missed: bool) -> str:
    """The line with the verdict at its end."""
    return f"{line}: {'MISSED' if missed else 'met'}"


def registered(kind, name, **promised):
    def decorate(prepare):
        FIGURES.append(Figure(name, kind, prepare, **promised))
        return prepare

    return decorate


computed, served, told = (partial(registered, kind) for kind in ("computed", "served", "told"))


def finish(missed: list[str], *, of: int) -> None:
    """Print that every target was met, or exit with an error that names the figures that missed one."""
    if missed:
        raise SystemExit(f"{len(missed)} of {of} figures missed a target: {'; '.join(missed)}")
    print(f"None of {of} figures missed a target.")
