"""Measures the site's figures and the floor's, with the site's settings. Run by `python -m bench`."""

import os
import sys
import time

import django

django.setup()

from django.db import connection  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.utils import CaptureQueriesContext  # noqa: E402

from polyhedral_site.asgi import freeze_gc  # noqa: E402

from . import (  # noqa: E402, F401
    backups,
    beside_much,
    crowd,
    encounters,
    new_rules,
    pages,
    party_acts,
    restart,
    sign_ins,
    table_actions,
    watchers,
)
from .figures import FIGURES, Figure, finish  # noqa: E402
from .server_load import AS_A_BROWSER, TOKEN, Load, Request, compared, cost_of, server  # noqa: E402

LINE = "{:46}{:>8}{:>8} {:6}{:>8}{:>9}{:>6}{:>8}{:>7}{:>8}  {}"
FLOOR = {
    "page": Request("/page/"),
    "bump": Request("/bump/", "POST", {"Cookie": f"csrftoken={TOKEN}", "X-CSRFToken": TOKEN}),
}
# Statements that begin and end a transaction.
NO_QUERIES = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE")


def main():
    only = sys.argv[1]
    figures = [figure for figure in FIGURES if only.lower() in figure.name.lower()]
    if not figures:
        raise SystemExit(f"No figure has “{only}” in its name.")
    floor = {"DATABASE_URL": os.environ["FLOOR_DATABASE_URL"]}
    head = ("", "cpu ms", "ratio", "to", "at most", "queries", "most", "KB", "ratio", "per s", "")
    print(LINE.format(*head))
    with server("bench.floor", floor) as floor_host, server("polyhedral_site.settings", {}) as site:

        def base(name):
            """Connect anew for each figure, because servers close connections that are idle for long."""
            return pages.sheet(site) if name == "sheet" else Load.of(floor_host, FLOOR[name])

        for name in (*FLOOR, "sheet"):
            cost = cost_of(base(name))
            show(Figure(name, "served", None, against=""), cost.milliseconds, cost=cost)
        missed = [figure.name for figure in figures if MEASURE[figure.kind](figure, site, base(figure.against))]
    finish(missed, of=len(figures))


# Each of these measures one figure, prints its line and returns True if a target was missed.


def measure_served(figure, site, base):
    load = figure.prepare(site)
    cost, beside, ratio = compared(load, base, figure.target)
    queries = count_queries(load.turns[0])
    size = cost.size / beside.size
    return show(figure, cost.milliseconds, ratio=ratio, size=size, queries=queries, cost=cost)


def measure_computed(figure, site, base):
    function, times = figure.prepare(), []
    function()
    freeze_gc()  # as in the server, which begins with this
    beside = cost_of(base)
    begun = time.perf_counter()
    while len(times) < 5 or (time.perf_counter() - begun < 2 and len(times) < 2000):
        start = time.process_time_ns()
        function()
        times.append((time.process_time_ns() - start) / 1e6)
    milliseconds = sorted(times)[len(times) // 2]
    return show(figure, milliseconds, ratio=milliseconds / beside.milliseconds)


def measure_told(figure, site, base):
    line = figure.prepare(site)
    print(f"{figure.name}: {line}", flush=True)
    return line.endswith("MISSED")


MEASURE = {"served": measure_served, "computed": measure_computed, "told": measure_told}


def count_queries(turn):
    """The queries of a second request, when this process has the same things in memory as a running server."""
    client = Client(headers={"host": "127.0.0.1", **AS_A_BROWSER})

    def send(request):
        with CaptureQueriesContext(connection) as queries:
            answer = client.generic(
                request.method,
                request.path,
                request.body,
                content_type="application/x-www-form-urlencoded",
                headers=request.headers,
            )
        assert answer.status_code < 300, f"{request.path} answered {answer.status_code}"
        return sum(not query["sql"].startswith(NO_QUERIES) for query in queries)

    for _ in range(2):
        request = turn.ready()
        if turn.shown():
            send(turn.shown())
        number = send(request)
        turn.done()
    return number


def show(figure, milliseconds, *, ratio=None, size=None, queries=None, cost=None):
    missed = figure.missed(ratio, size, queries)
    cells = [
        f"{milliseconds:.3f}",
        cell(ratio, ".2f"),
        figure.against,
        cell(figure.target, ".1f"),
        cell(queries),
        cell(figure.queries),
        cell(cost and cost.size / 1000, ".1f"),
        cell(size, ".1f"),
        cell(cost and cost.rate, ".0f"),
    ]
    print(LINE.format(figure.name, *cells, "MISSED" if missed else ""), flush=True)
    return missed


def cell(value, form=""):
    return "" if value is None else format(value, form)


if __name__ == "__main__":
    main()
