"""What is measured, with the site's settings, on a database that holds the core rules and the samples.

A figure is a function. `@computed` returns a callable to be timed; `@served` returns the Request to be sent, `@visited`
the Request to be opened in a browser. Targets: a ratio to one of the floor's views, the most queries, the most KB.
"""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    name: str
    kind: str
    prepare: Callable
    target: float | None = None
    against: str = "page"
    queries: int | None = None


FIGURES = []


def computed(name, *, target=None):
    return register(name, "computed", target=target)


def served(name, *, target=None, against="page", queries=None):
    return register(name, "served", target=target, against=against, queries=queries)


def visited(name, *, target):
    return register(name, "visited", target=target)


def register(name, kind, **limits):
    def decorate(prepare):
        FIGURES.append(Figure(name, kind, prepare, **limits))
        return prepare

    return decorate
