"""The site's figures beside the floor's, which come as JSON: run by `python -m bench` with the site's settings."""

import json
import sys
import time

import django

django.setup()

from django.db import connection  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.utils import CaptureQueriesContext  # noqa: E402

from .figures import FIGURES  # noqa: E402
from .load import cost, server  # noqa: E402
from .visit import first_visit  # noqa: E402

LINE = "{:36}{:>9}{:>8}{:>8}{:>9}{:>6}{:>8}{:>8}  {}"


def main():
    floor = json.loads(sys.argv[1])
    visits = []
    print(LINE.format("", "cpu ms", "ratio", "at most", "queries", "most", "KB", "per s", ""))
    for name, (milliseconds, rate, size) in floor.items():
        show(f"floor {name}", milliseconds, 1, size=size, rate=rate)
    with server("polyhedral_site.settings", {}) as (process, port):
        for figure in FIGURES:
            prepared = figure.prepare()
            if figure.kind == "visited":
                visits.append((figure, *first_visit(port, prepared)))
                continue
            found = {}
            if figure.kind == "served":
                milliseconds, found["rate"], found["size"] = cost(process, port, prepared)
                found["queries"] = count_queries(prepared)
            else:
                milliseconds = timed(prepared)
            show(figure.name, milliseconds, milliseconds / floor[figure.against][0], figure, **found)
    for figure, requests, size in visits:
        verdict = "MISSED" if size > figure.target * 1000 else "met"
        print(f"{figure.name}: {requests} requests, {size / 1000:.1f} KB, at most {figure.target} KB: {verdict}")


def timed(function, seconds=2.0):
    """Median processor milliseconds of one call."""
    function()
    times, begun = [], time.perf_counter()
    while len(times) < 5 or (time.perf_counter() - begun < seconds and len(times) < 2000):
        start = time.process_time_ns()
        function()
        times.append(time.process_time_ns() - start)
    return sorted(times)[len(times) // 2] / 1e6


def count_queries(request):
    client = Client(headers={"host": "127.0.0.1", **request.headers})
    client.generic(request.method, request.path, request.body)
    with CaptureQueriesContext(connection) as queries:
        client.generic(request.method, request.path, request.body)
    return len(queries)


def show(name, milliseconds, ratio, figure=None, *, queries=None, size=None, rate=None):
    target, most = (figure.target, figure.queries) if figure else (None, None)
    missed = (target and ratio > target) or (most and queries > most)
    cells = [
        f"{milliseconds:.3f}",
        f"{ratio:.2f}",
        "" if target is None else f"{target:.1f}",
        "" if queries is None else queries,
        "" if most is None else most,
        "" if size is None else f"{size / 1000:.1f}",
        "" if rate is None else f"{rate:.0f}",
    ]
    print(LINE.format(name, *cells, "MISSED" if missed else ""), flush=True)


if __name__ == "__main__":
    main()
