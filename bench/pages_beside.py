"""Asks for pages from a separate process, so that the bench's other work does not slow it down."""

import http.client
import multiprocessing
import time
from concurrent.futures import ProcessPoolExecutor
from statistics import median

MANY = 150


def seconds_of(port, path, headers):
    """The median time of one page, asked for again and again."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as apart:
        return apart.submit(_ask, port, path, headers).result()


def _ask(port, path, headers):
    link, times = http.client.HTTPConnection("127.0.0.1", port, timeout=30), []
    for _ in range(MANY):
        began = time.perf_counter()
        link.request("GET", path, headers=headers)
        answer = link.getresponse()
        answer.read()
        assert answer.status == 200, answer.status
        times.append(time.perf_counter() - began)
    return median(times)
