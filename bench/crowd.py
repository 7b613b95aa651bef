"""People change their sheets while their other devices follow: the waits of all, and the cost of a look for changes.

These devices look every five seconds, even if nothing has changed. Real pages look when they are told (`watchers.py`).
"""

import http.client
import random
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from statistics import quantiles

from .figures import served, told
from .server_load import CONNECTIONS, Load
from .table_actions import Player

WRITERS, WATCHERS = 8, 64
EVERY = 5.0
SECONDS = 20.0


class Watching(Player):
    def ready(self):
        return self.watching()


class WatchingAnother(Player):
    """A device whose every look finds a change made on another one."""

    def __init__(self, host, level, number):
        super().__init__(host, level, number)
        self.writer = Player(host, level, number)

    def ready(self):
        self.version = self.writer.version
        self.writer.change()
        return self.watching()


@served("a look from another device: nothing new", queries=10)
def nothing_new(host):
    return Load(host, [Watching(host, 30, number) for number in range(CONNECTIONS)])


@served("a look from another device: a change", queries=10)
def a_change(host):
    return Load(host, [WatchingAnother(host, 30, number) for number in range(CONNECTIONS)])


@dataclass
class Waits:
    """Seconds until each answer, and the number of answers by status; status 0 stands for no answer."""

    seconds: list[float] = field(default_factory=list)
    statuses: Counter = field(default_factory=Counter)

    @property
    def wrong(self):
        return sum(many for status, many in self.statuses.items() if status not in (200, 204))

    def __str__(self):
        at = quantiles(self.seconds, n=20)
        median, most = at[9] * 1000, at[18] * 1000
        return f"{len(self.seconds) / SECONDS:.1f} a second, median {median:.0f} ms, 95 % within {most:.0f} ms"


def again_and_again(do, waits: Waits, every: float, until: float):
    """Call `do` every so many seconds, beginning at a random moment; without a pause if `every` is 0."""
    time.sleep(random.uniform(0, every))
    while (begun := time.perf_counter()) < until:
        try:
            waits.statuses[do().status_code] += 1
        except (OSError, http.client.HTTPException):
            waits.statuses[0] += 1
        waits.seconds.append(time.perf_counter() - begun)
        time.sleep(max(0.0, every - waits.seconds[-1]))


def together(host, pause):
    """Run all writers and watchers at once for a while, with this pause between two changes of a writer. Returns a line
    of figures."""
    writers = [Player(host, 30, number) for number in range(WRITERS)]
    watchers = [Player(host, 30, number % WRITERS) for number in range(WATCHERS)]
    writes, looks = Waits(), Waits()
    until, before = time.perf_counter() + SECONDS, host.spent()
    threads = [threading.Thread(target=again_and_again, args=(one.change, writes, pause, until)) for one in writers]
    threads += [threading.Thread(target=again_and_again, args=(one.watch, looks, EVERY, until)) for one in watchers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    busy = (host.spent() - before) / SECONDS / 10
    wrong = writes.wrong + looks.wrong
    return (
        f"writes {writes}; looks {looks}, {looks.statuses[200]} of {len(looks.seconds)} found a change; "
        f"{wrong} errors{' WRONG' if wrong else ''}; the server {busy:.0f} % of one processor"
    )


@told(f"{WRITERS} writers, a change every 2 s each, and {WATCHERS} watchers")
def at_a_table(host):
    return together(host, 2.0)


@told(f"{WRITERS} writers without a pause, and {WATCHERS} watchers")
def without_a_pause(host):
    return together(host, 0)
