"""A server under a steady load, and the processor time that its requests cost it."""

import contextlib
import http.client
import math
import os
import shutil
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from email.message import Message
from statistics import median, quantiles
from urllib.parse import urlencode

import psutil
from django.db import close_old_connections

from tests.support.site import serving

CONNECTIONS = 8
# Rounds per figure: more of them if the figure is near its target.
LEAST, MOST = 30, 150
SECONDS = 1.5  # least time for all rounds together
THREADS = ThreadPoolExecutor(CONNECTIONS)
TOKEN = "a" * 32  # the CSRF token, in a cookie and in each form
AS_A_BROWSER = {"Accept-Encoding": "gzip, deflate, br, zstd"}


@dataclass(frozen=True)
class Request:
    path: str
    method: str = "GET"
    headers: dict = field(default_factory=dict)
    body: str = ""


def posted(path: str, headers: dict, fields: dict) -> Request:
    """A form as a page sends it. The headers must have the cookie with the token."""
    body = urlencode({"csrfmiddlewaretoken": TOKEN, **fields}, doseq=True)
    return Request(path, "POST", {**headers, "Content-Type": "application/x-www-form-urlencoded"}, body)


@dataclass(frozen=True)
class Answer:
    status_code: int
    headers: Message
    size: int


@dataclass(frozen=True)
class Host:
    """A server of one process."""

    pid: int
    port: int

    def spent(self) -> float:
        """Processor milliseconds used by the server so far, in all its threads."""
        if sys.platform == "linux":  # the clock of the process, as clock_getcpuclockid() computes its id
            return time.clock_gettime(~self.pid << 3 | 2) * 1000
        return sum(psutil.Process(self.pid).cpu_times()[:2]) * 1000


class Turn:
    """One connection in a load. Only the request that `ready` returns is measured, not the work before it."""

    def __init__(self, host: Host, request: Request | None = None):
        self.link = http.client.HTTPConnection("127.0.0.1", host.port, timeout=30)
        self.request = request

    def ready(self) -> Request:
        return self.request

    def shown(self) -> Request | None:
        """An earlier request that tells the server the content of the page from which this one is sent."""
        return None

    def done(self) -> None:
        """Put things back after the request, so that it can be sent again."""

    def ask(self, request: Request) -> Answer:
        headers = {**AS_A_BROWSER, **request.headers}
        self.link.request(request.method, request.path, body=request.body or None, headers=headers)
        response = self.link.getresponse()
        return Answer(response.status, response.headers, len(response.read()))


@dataclass(frozen=True)
class Load:
    host: Host
    turns: list[Turn]

    @classmethod
    def of(cls, host: Host, request: Request) -> "Load":
        """A load of the same request on every connection."""
        return cls(host, [Turn(host, request) for _ in range(CONNECTIONS)])

    def each(self, act) -> list:
        """Do this for all turns at once. Each then returns its database connection, as a request does, because there
        are more turns than connections in a pool."""

        def one(turn):
            try:
                return act(turn)
            finally:
                close_old_connections()

        return list(THREADS.map(one, self.turns))

    def round(self) -> tuple[float, float, float]:
        """Send one request on every connection at once. Returns the milliseconds and bytes per request, and the
        requests per second."""
        requests = self.each(lambda turn: turn.ready())
        before, begun = self.host.spent(), time.perf_counter()
        answers = list(THREADS.map(Turn.ask, self.turns, requests))
        spent, passed = self.host.spent() - before, time.perf_counter() - begun
        for request, answer in zip(requests, answers, strict=True):
            if not 200 <= answer.status_code < 300:
                why = answer.headers.get("HX-Trigger", "")
                raise SystemExit(f"{request.method} {request.path} answered {answer.status_code}: not measured. {why}")
        self.each(lambda turn: turn.done())
        many = len(self.turns)
        return spent / many, sum(answer.size for answer in answers) / many, many / passed


@dataclass(frozen=True)
class Cost:
    """Processor milliseconds and bytes per request, and requests per second: medians of rounds."""

    milliseconds: float
    size: float
    rate: float

    @classmethod
    def of(cls, rounds) -> "Cost":
        return cls(*map(median, zip(*rounds, strict=True)))


def timed(work) -> float:
    """The seconds that this call takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def cost_of(load: Load) -> Cost:
    return Cost.of([taken for (taken,) in rounds_of(load)])


def compared(load: Load, base: Load, target: float | None = None) -> tuple[Cost, Cost, float]:
    """The cost of one request of each load, and the ratio: the median over pairs of successive rounds.

    A machine's speed varies, but hardly between two rounds in a row. Rounds are added as long as chance may decide on
    which side of the `target` the ratio is.
    """
    rounds = rounds_of(load, base)
    while target and len(rounds) < MOST and unsure(ratios(rounds), target):
        rounds += rounds_of(load, base)
    costs = [Cost.of(taken) for taken in zip(*rounds, strict=True)]
    return *costs, median(ratios(rounds))


def ratios(rounds) -> list[float]:
    return [one[0] / other[0] for one, other in rounds]


def unsure(found: list[float], target: float) -> bool:
    """True if their median is within twice its standard error of the target."""
    low, middle, high = quantiles(found, n=4)
    return abs(middle - target) < 2 * 0.93 * (high - low) / math.sqrt(len(found))


def rounds_of(*loads: Load) -> list[list[tuple[float, float, float]]]:
    """The milliseconds, bytes and rate of each load in each round. In a round, the loads run one after another."""
    rounds = []
    begun = time.perf_counter()
    for load in loads:
        load.round()  # warm
    while len(rounds) < LEAST or time.perf_counter() - begun < SECONDS:
        rounds.append([load.round() for load in loads])
    return rounds


@contextlib.contextmanager
def started_apart(**environment):
    """The site's own server, with a separate data folder, because on SQLite a folder may have only one server."""
    with tempfile.TemporaryDirectory(prefix="bench-") as place:
        databases = shutil.ignore_patterns("*.sqlite3*")
        shutil.copytree(os.environ["DATA_DIR"], place, ignore=databases, dirs_exist_ok=True)
        with serving(place, **{**os.environ, **environment, "DATA_DIR": place}) as site:
            yield site


@contextlib.contextmanager
def server(settings, environment):
    """The site's own server with these settings, as a Host."""
    with started_apart(**environment, DJANGO_SETTINGS_MODULE=settings) as site:
        yield Host(site.process.pid, site.port)
