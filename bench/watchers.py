"""Streams of many people who may all see one character: the time until the last one hears of a change, the memory per
stream, and the speed of pages meanwhile."""

import asyncio
import contextlib
import resource
import threading
import time
from dataclasses import dataclass, field
from statistics import median, quantiles

import psutil
from django.db import connection, transaction

from characters.models import Grant

from .figures import judged, told
from .pages_beside import seconds_of
from .players import character, device, person
from .server_load import server
from .table_actions import Player

CHANGES, EVERY = 40, 0.25
FIRST = 10_000  # the number of the first watcher among the people of the bench
OF_ONE_ADDRESS = 90  # one address may have a hundred streams
AT_MOST, PAGES_AT_MOST, KILOBYTES_AT_MOST = 100, 1.5, 20  # milliseconds, times, KiB


@dataclass
class Streams:
    """Streams that are read in a separate thread. heard: the moments at which they heard each number."""

    port: int
    tasks: list[asyncio.Task] = field(default_factory=list)
    heard: dict[str, list[float]] = field(default_factory=dict)

    def __enter__(self):
        self.loop = asyncio.new_event_loop()
        threading.Thread(target=self.loop.run_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        for task in self.tasks:
            self.loop.call_soon_threadsafe(task.cancel)
        time.sleep(1)
        self.loop.call_soon_threadsafe(self.loop.stop)

    def join(self, cookies):
        """Open a stream for each of these cookies."""
        asyncio.run_coroutine_threadsafe(self.open(cookies), self.loop).result(120)

    async def open(self, cookies):
        for at in range(0, len(cookies), 20):
            some = enumerate(cookies[at : at + 20], len(self.tasks))
            streams = await asyncio.gather(*(self.one(number, cookie) for number, cookie in some))
            self.tasks += [self.loop.create_task(self.read(*stream)) for stream in streams]

    async def one(self, number, cookie):
        source = (f"127.0.1.{1 + number // OF_ONE_ADDRESS}", 0)
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, local_addr=source)
        writer.write(f"GET /stream/ HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: {cookie}\r\n\r\n".encode())
        head = await reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200"), head
        await reader.readuntil(b"retry: 500\n")
        return reader, writer

    async def read(self, reader, writer):
        with contextlib.suppress(asyncio.CancelledError, asyncio.IncompleteReadError, ConnectionError):
            try:
                while line := await reader.readline():
                    if line.startswith(b"data: character"):
                        self.heard.setdefault(line.split()[-1].decode(), []).append(time.perf_counter())
            finally:
                writer.close()

    def all_heard(self, number):
        """The moment at which the last stream heard this number."""
        until = time.perf_counter() + 10
        while len(self.heard.get(number, ())) < len(self.tasks):
            assert time.perf_counter() < until, (
                f"{number}: {len(self.heard.get(number, ()))} of {len(self.tasks)} were told; {list(self.heard)[-3:]}"
            )
            time.sleep(0.002)
        return max(self.heard[number])


def cookies_of(seen, many):
    """Cookies of `many` people who may see this character."""
    numbers = range(FIRST, FIRST + many)
    Grant.objects.filter(character=seen, role="party").delete()
    with transaction.atomic():
        Grant.objects.bulk_create(Grant(character=seen, user=person(one).user, role="party") for one in numbers)
        return [device(one)["Cookie"] for one in numbers]


def beside_changes(host):
    """The time of pages, asked for while other requests change a character again and again."""
    ended, writer = threading.Event(), Player(host, 30)

    def keep_changing():
        while not ended.wait(EVERY):
            writer.change()

    writing = threading.Thread(target=keep_changing)
    writing.start()
    try:
        other = Player(host, 30, 1)
        return seconds_of(host.port, other.base, other.headers)
    finally:
        ended.set()
        writing.join()


def memory(host):
    return psutil.Process(host.pid).memory_full_info().uss / 1024


def watched(host, of, many):
    """The line of figures for changes made at `host` and sent to `many` streams at `of`."""
    room_for_sockets()
    writer = Player(host, 30)
    cookies = cookies_of(character(30, 0), many)
    pages, waits, presses, half = beside_changes(host), [], [], many // 2
    with Streams(of.port) as streams:
        # The first half loads code, and uses up memory that earlier pages have freed.
        streams.join(cookies[:half])
        before = memory(of)
        streams.join(cookies[half:])
        each = (memory(of) - before) / (many - half)
        for _ in range(CHANGES):
            began = time.perf_counter()
            answer = writer.change()
            assert answer.status_code == 200, answer
            presses.append(time.perf_counter() - began)
            waits.append(streams.all_heard(writer.version) - began)
            time.sleep(EVERY)
        ratio = beside_changes(host) / pages
    most = quantiles(waits, n=20)[18] * 1000
    return judged(
        f"from the press, answered in {median(presses) * 1000:.0f} ms, to the last of {many}: median "
        f"{median(waits) * 1000:.0f} ms, 95 % within {most:.0f}, which may be {AT_MOST}; {each:.1f} KiB each, which "
        f"may be {KILOBYTES_AT_MOST}; pages meanwhile {ratio:.2f} of without, which may be {PAGES_AT_MOST}",
        most > AT_MOST or ratio > PAGES_AT_MOST or each > KILOBYTES_AT_MOST,
    )


def room_for_sockets():
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(8192, hard) if hard > 0 else 8192, hard))


@told("a change told to 200 watchers")
def two_hundred(host):
    return watched(host, host, 200)


@told("a change told to 1,000 watchers")
def a_thousand(host):
    return watched(host, host, 1000)


@told("a change at one process told to 1,000 watchers of another")
def across_two(host):
    if connection.vendor != "postgresql":
        return "SQLite is served by one process; with --postgres it is measured"
    with server("polyhedral_site.settings", {}) as other:
        return watched(host, other, 1000)
