"""Backups of a site while people play, each restored into an empty place and compared. SOAK=1 makes 30 of each.

A backup has to hold one moment: every change that was acknowledged before it began, none that was sent after it ended,
and every table as in the restored site. Tables that only grow, and those that nobody changes, must match the site's
row for row.
"""

import contextlib
import gzip
import os
import re
import secrets
import shutil
import sqlite3
import subprocess
import threading
import time
from dataclasses import dataclass, field

import pytest

from tests.support.place import Player, tables_of
from tests.support.postgres import path

HOW_MANY, WRITERS = (30 if os.environ.get("SOAK") else 2), 4
PAUSE = 0.02 if os.environ.get("SOAK") else 0.06  # seconds between two forms of one writer
pytestmark = pytest.mark.slow
ADDED_TO = {"characters_change", "characters_rollrecord", "characters_note"}
MOVING = {"characters_character", "characters_resourcestate", "django_session", "cache", "sqlite_sequence"}


@dataclass
class Writers:
    """The keys of forms that were sent and that were acknowledged, so far."""

    sent: set[str] = field(default_factory=set)
    acknowledged: set[str] = field(default_factory=set)
    refused: list[int] = field(default_factory=list)
    over: bool = False

    def write(self, player):
        number = 0
        while not self.over:
            key = secrets.token_hex(8)
            self.sent.add(key)
            status = player.play(number, key)
            if status == 303:
                self.acknowledged.add(key)
            else:
                self.refused.append(status)
            number += 1
            time.sleep(PAUSE)


@contextlib.contextmanager
def writing(players):
    writers = Writers()
    threads = [threading.Thread(target=writers.write, args=[player]) for player in players]
    for thread in threads:
        thread.start()
    try:
        yield writers
    finally:
        writers.over = True
        for thread in threads:
            thread.join()


def test_each_backup_holds_one_moment_of_the_site(migrated, tmp_path):
    began, sizes, seconds = time.monotonic(), [], []
    with migrated.serving() as site:
        players = [Player(site) for _ in range(WRITERS)]
        begun = keys_of(migrated)
        with writing(players) as writers:
            for number in range(HOW_MANY):
                before = acknowledged_more(writers)
                folder, empty = tmp_path / f"backup-{number}", tmp_path / f"restored-{number}"
                started = time.monotonic()
                status, said = migrated.manage("backup", folder)
                seconds.append(time.monotonic() - started)
                assert status == 0, said
                after = begun | writers.sent
                restored = migrated.empty(empty)
                status, said = restored.manage("restore", folder)
                assert status == 0, said
                keys = keys_of(restored)
                assert begun | before <= keys <= after
                sizes.append(len(keys))
                compare(migrated, restored, folder)
                shutil.rmtree(folder)
                restored.remove()
    assert writers.refused == []
    print(
        f"\n{'postgresql' if migrated.url else 'sqlite'}: {HOW_MANY} backups under {WRITERS} writers, each restored "
        f"and compared: {sizes[0]:,} to {sizes[-1]:,} changes in them, {len(writers.acknowledged):,} acknowledged, 0 "
        f"lost; a backup {min(seconds):.1f} to {max(seconds):.1f} s, {time.monotonic() - began:.0f} s in all"
    )


def keys_of(place) -> set[str]:
    return {key for (key,) in place.ask("SELECT key FROM characters_change")}


def acknowledged_more(writers) -> set[str]:
    """The acknowledged writes, once there is a new one."""
    seen, until = len(writers.acknowledged), time.monotonic() + 60
    while len(writers.acknowledged) <= seen:
        assert time.monotonic() < until
        time.sleep(0.01)
    return set(writers.acknowledged)


def compare(place, restored, folder):
    found, now = restored.tables(), place.tables()
    if place.url:
        assert dumped(restored) == data_in(gzip.decompress((folder / "database.sql.gz").read_bytes()))
    else:
        assert found == tables_of(lambda: sqlite3.connect(folder / "database.sqlite3"))
    assert (restored.folder / "secret-key").read_bytes() == (place.folder / "secret-key").read_bytes()
    assert found.keys() == now.keys()
    for name in found.keys() - MOVING:
        assert found[name] <= now[name] if name in ADDED_TO else found[name] == now[name], name
    assert found.keys() >= ADDED_TO


def dumped(place) -> list[bytes]:
    command = ["pg_dump", f"--dbname={place.url}"]
    return data_in(subprocess.run(command, env={"PATH": path()}, capture_output=True, check=True).stdout)


def data_in(dump) -> list[bytes]:
    """The rows and the counters, without constraints, whose wording may differ after a restore."""
    found = re.findall(rb"^COPY .*?^\\\.$|^SELECT pg_catalog.setval.*?$", dump, re.M | re.S)
    assert len(found) > 100
    return found
