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


def main():
    floor = json.loads(sys.argv[1])
    rows = [(f"floor {name}", spent, 1.0, None, None, size, rate) for name, (spent, rate, size) in floor.items()]
    with server("polyhedral_site.settings", {}) as (process, port):
        for figure in FIGURES:
            prepared = figure.prepare()
            if figure.kind == "computed":
                milliseconds, rate, size, queries = timed(prepared), None, None, None
            else:
                milliseconds, rate, size = cost(process, port, prepared)
                queries = count_queries(prepared)
            ratio = milliseconds / floor[figure.against][0]
            rows.append((figure.name, milliseconds, ratio, (figure.target, figure.queries), queries, size, rate))
    show(rows)


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
    client = Client(headers={name: value for name, value in request.headers.items() if name != "Cookie"})
    for cookie in filter(None, request.headers.get("Cookie", "").split("; ")):
        name, _, value = cookie.partition("=")
        client.cookies[name] = value

    def send():
        client.generic(request.method, request.path, request.body, headers={"host": "127.0.0.1"})

    send()
    with CaptureQueriesContext(connection) as queries:
        send()
    return len(queries)


def show(rows):
    print(f"\n{'':38}{'ms':>8}{'ratio':>8}{'target':>8}{'queries':>9}{'most':>6}{'KB':>8}{'per s':>8}")
    for name, milliseconds, ratio, limits, queries, size, rate in rows:
        target, most = limits or (None, None)
        missed = (target and ratio > target) or (most and queries > most)
        print(
            f"{name:38}{milliseconds:8.2f}{ratio:8.2f}{blank(target, '8.1f')}{blank(queries, '9d')}{blank(most, '6d')}"
            f"{blank(size and size / 1000, '8.1f')}{blank(rate, '8.0f')}{'  MISSED' if missed else ''}"
        )


def blank(value, form):
    width = int(form[0])
    return " " * width if value is None else format(value, form)


if __name__ == "__main__":
    main()
