"""Runs the tests on the databases that they need: `make test` runs all tests on every database, `make quick` only the
quick ones.

A summary at the end lists the runs, their times and the failures, because the lines of the two lanes are mixed. Fails
if a test fails or is skipped, or if none ran.
"""

import argparse
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from . import chromium, postgres, prepared_site

LIMITS = {"test": 12 * 60, "quick": 3 * 60}  # seconds on two cores
CLOSING_LINE = re.compile(r"^=+ .*\bin [\d.]+s.*=+$")
FAULT = re.compile(r"E   |(FAILED|ERROR) ")  # the text of an assertion, and the names of failed tests
MOST_FAULTS = 60  # lines of a run that are printed again at the end
QUICK = "not browser and not slow and not full"
# Processes of pytest in each of the two lanes: two keep two cores busy while the other lane waits for pages.
PROCESSES = str(min(8, max(2, (os.cpu_count() or 2) // 2)))
LANES = ("", "| ")  # printed before each line of a lane
# Settings that exist only for speed, and the tests that run once more with them off (decision 050).
SWITCHES = ("FAST_SQL", "PAGE_CACHE", "VERSION_CACHE")
THROUGH_ALL = [
    "tests/test_signed_in.py",
    *[f"tests/campaigns/test_{name}.py" for name in ("seats", "table")],
    *[f"tests/characters/{name}" for name in ("evenings", "play")],
    *[f"tests/characters/play_pages/test_{name}.py" for name in ("downtime", "history_kinds", "long_rest")],
    "tests/characters/builder/test_answers.py",
    "tests/characters/levels/test_level_up.py",
    "tests/characters/compare/test_compare.py",
    *[f"tests/characters/test_{name}.py" for name in ("items", "journal", "kept", "people", "undo", "versions")],
]


def main():
    parser = argparse.ArgumentParser("python -m tests.support.run_all", description=__doc__.split("\n\n")[0])
    parser.add_argument("which", choices=LIMITS)
    which = parser.parse_args().which
    os.environ.pop("DATA_DIR", None)  # each of the parallel runs has its databases in its own folder
    prepared_site.share()  # among all runs
    browser = chromium.find() or install_chromium()
    without_database = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    without_database["CHROMIUM"] = browser
    pytest = [sys.executable, "-m", "pytest", "-n", PROCESSES, "--dist", "worksteal"]
    in_browser = [*pytest, "tests/browser"]  # so that other tests are not even imported
    sqlite, chrome = f"SQLite {sqlite3.sqlite_version}", f"Chromium on SQLite ({browser})"
    began = time.monotonic()
    if which == "quick":
        lanes = [
            [
                Run(f"{sqlite}, without what is slow", [*pytest, "-m", QUICK], without_database),
                Run(f"{chrome}, a few", [*in_browser, "-m", "smoke"], without_database),
            ]
        ]
    else:
        server = server_for_tests()
        off = {**without_database, **dict.fromkeys(SWITCHES, "0")}
        lanes = [
            [
                Run(sqlite, [*pytest, "-m", "not browser"], without_database),
                Run(
                    f"{sqlite}, with {', '.join(SWITCHES)} off",
                    [*pytest, "-m", "not browser and not fast", *THROUGH_ALL],
                    off,
                ),
            ],
            # This lane waits for servers and pages; meanwhile the tests of the other lane have the processors.
            [
                Run(chrome, in_browser, without_database),
                Run(
                    f"PostgreSQL ({server}), without what reaches no database",
                    [sys.executable, "-m", "tests.support.postgres", "--", *pytest, "-m", "not browser and not once"],
                    dict(os.environ),
                ),
            ],
        ]
    with ThreadPoolExecutor(len(lanes)) as pool:
        list(pool.map(go, lanes, LANES))
    print("\nWhat ran on what:")
    for run in (run for lane in lanes for run in lane):
        print(f"  {'ok    ' if run.passed else 'FAILED'}  {run.name}\n          {run.closing}")
        print("".join(f"          {line}\n" for line in run.faults[:MOST_FAULTS]), end="")
    print(f"  {minutes(time.monotonic() - began)} in all; on two cores the limit is {minutes(LIMITS[which])}")
    if not all(run.passed for lane in lanes for run in lane):
        sys.exit(1)


def server_for_tests():
    """The source of PostgreSQL; exits with a sentence if there is none."""
    programs = postgres.binaries()
    if programs is None and not os.environ.get("DATABASE_URL", "").startswith("postgres"):
        raise SystemExit(postgres.HOW_TO_GET_IT)
    return postgres.source(programs)


def minutes(seconds):
    whole, rest = divmod(round(seconds), 60)
    return f"{whole}:{rest:02}"


def go(lane, name):
    for run in lane:
        run.go(name)


@dataclass
class Run:
    name: str
    command: list[str]
    environment: dict[str, str]
    closing: str = "pytest did not finish"
    passed: bool = False
    faults: list[str] = field(default_factory=list)

    def go(self, lane):
        """Run pytest and print each of its lines after the lane's prefix; keep its closing line and its faults.

        The run has passed if tests ran and all passed.
        """
        began = time.monotonic()
        print(f"\n{lane}== {self.name}", flush=True)
        with subprocess.Popen(
            self.command, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        ) as process:
            for line in process.stdout:
                print(lane + line, end="", flush=True)
                if CLOSING_LINE.match(line.strip()):
                    self.closing = line.strip().strip("= ")
                elif FAULT.match(line):
                    self.faults.append(line.rstrip())
        bad = re.search(r"skipped|xfailed|error", self.closing)
        self.passed = process.returncode == 0 and " passed" in self.closing and not bad
        self.closing += f", with its start {minutes(time.monotonic() - began)}"


def install_chromium():
    """As root, Debian's own package; otherwise Playwright's download. Exits with a sentence if neither works."""
    if os.geteuid() == 0 and shutil.which("apt-get"):
        print("Installing Chromium with apt-get", flush=True)
        quiet = {"stdout": subprocess.DEVNULL, "env": {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}}
        subprocess.run(["apt-get", "update", "-qq"], **quiet)
        for package in chromium.PACKAGES:
            if not chromium.find():
                subprocess.run(["apt-get", "install", "-y", "-qq", "--no-install-recommends", package], **quiet)
    if not chromium.find():
        print("Installing Chromium with Playwright", flush=True)
        subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"])
    found = chromium.find()
    if not found or not Path(found).exists():
        raise SystemExit(chromium.HOW_TO_GET_IT)
    return found


if __name__ == "__main__":
    main()
