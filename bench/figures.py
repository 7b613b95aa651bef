"""What is measured, with the site's settings, on a database that holds the core rules and the samples.

A figure is a function. `@computed` returns a callable to be timed, `@served` the Request to be sent. Both name the
target as a ratio to one of the floor's views, `@served` also the most queries it may make.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    name: str
    prepare: callable
    kind: str
    target: float | None
    against: str = "page"
    queries: int | None = None


FIGURES = []


def computed(name, *, target=None):
    def register(prepare):
        FIGURES.append(Figure(name, prepare, "computed", target))
        return prepare

    return register


def served(name, *, target=None, against="page", queries=None):
    def register(prepare):
        FIGURES.append(Figure(name, prepare, "served", target, against, queries))
        return prepare

    return register
