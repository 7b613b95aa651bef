"""What is measured, with the site's settings, on a database that holds the core rules and the samples.

A figure is a function. `@computed` returns a callable to be timed; `@served` returns the Request to be sent, `@visited`
the Request to be opened in a browser. Targets: a ratio to one of the floor's views, the most queries, the most KB.
"""

from collections.abc import Callable
from dataclasses import dataclass

from django.conf import settings
from django.test import Client
from django.urls import reverse

from rules.compile import compile_source
from rules.engine import as_at, derive, rested
from rules.models import Source

from . import heavy
from .load import Request


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


@computed("derive, level 1")
def derive_sample():
    bundle, build = heavy.sample()
    return lambda: derive(bundle, build)


@computed("derive, level 30", target=1)
def derive_heavy():
    bundle, build = heavy.heavy()
    return lambda: derive(bundle, build)


@computed("compile the rules, cold")
def compile_rules():
    source = Source.objects.select_related("ruleset").get(slug="polyhedral-core")
    return lambda: compile_source(source)


@served("sheet, level 30", target=4, queries=12)
def sheet():
    return signed_in("characters:sheet", pk=heavy.kept_heavy().pk)


@computed("as at each of 40 levels")
def as_at_forty_levels():
    """Forty sheets: beside "derive, level 30" the ratio says what one of them costs."""
    bundle, build = heavy.heavy(40)
    return lambda: [derive(bundle, rested(as_at(bundle, build, level))) for level in range(1, 41)]


@served("as at level 15 of 30", target=4, queries=12)
def as_at_a_level():
    return signed_in("characters:at", pk=heavy.kept_heavy().pk, level=15)


@served("timeline, level 30", queries=14)
def timeline():
    return signed_in("characters:timeline", pk=heavy.kept_heavy().pk)


@served("a level with its three what-ifs, at level 30", queries=14)
def level_up():
    return signed_in("characters:level-up", pk=heavy.kept_heavy().pk)


@served("builder step, level 30")
def builder_step():
    return signed_in("characters:build", pk=heavy.kept_heavy().pk, step="job")


@served("search the rules")
def search():
    return Request(reverse("rules:search") + "?q=atheltics")


@visited("first visit of the sheet", target=100)
def first_visit_of_the_sheet():
    return signed_in("characters:sheet", pk=heavy.kept_heavy().pk)


def signed_in(name, **arguments):
    client = Client()
    client.force_login(heavy.kept_heavy().owner)
    cookie = f"{settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}"
    return Request(reverse(name, kwargs=arguments), headers={"Cookie": cookie})
