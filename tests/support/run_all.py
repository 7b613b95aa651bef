"""The tests on what they need: `make test` runs all of them on every database, `make quick` what is soon done.

Says at the end what ran on what, and how long. Fails when a test fails, when one was skipped, and when none ran.
"""

import os
import re
import shutil
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

from . import chromium, postgres

LIMITS = {"test": 12 * 60, "quick": 3 * 60}  # seconds on two cores
CLOSING_LINE = re.compile(r"^=+ .*\bin [\d.]+s.*=+$")
# What exists only for speed, and the files that go through all of it.
SWITCHES = ("FAST_SQL", "PAGE_CACHE", "VERSION_CACHE")
THROUGH_ALL = [
    "tests/test_signed_in.py",
    *[f"tests/characters/test_{name}.py" for name in ("journal", "undo", "items", "versions", "kept")],
    *[f"tests/characters/play/test_{name}.py" for name in ("dying", "gear")],
]


def main(which, *more):
    browser = chromium.find() or install_chromium()
    without_database = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    without_database["CHROMIUM"] = browser
    pytest = [sys.executable, "-m", "pytest", "-n", "2", "--dist", "worksteal", *more]
    sqlite, chrome = f"SQLite {sqlite3.sqlite_version}", f"Chromium on SQLite ({browser})"
    began = time.monotonic()
    if which == "quick":
        few = [*pytest, "-m"]
        runs = [
            run(f"{sqlite}, without what is slow", [*few, "not browser and not slow"], without_database),
            run(f"{chrome}, a few", [*few, "smoke"], without_database),
        ]
    else:
        server = server_for_tests()
        runs = [
            run(sqlite, [*pytest, "-m", "not browser"], without_database),
            run(
                f"PostgreSQL ({server}), without what reaches no database",
                [sys.executable, "-m", "tests.support.postgres", "--", *pytest, "-m", "not browser and not once"],
                dict(os.environ),
            ),
            run(
                f"{sqlite}, with {', '.join(SWITCHES)} off",
                [*pytest, "-m", "not fast", *THROUGH_ALL],
                {**without_database, **dict.fromkeys(SWITCHES, "0")},
            ),
            # Pages are waited for, and meanwhile a third test has the processor.
            run(chrome, [*pytest, "-m", "browser", "-n", "3"], without_database),
        ]
    print("\nWhat ran on what:")
    for name, closing, passed in runs:
        print(f"  {'ok    ' if passed else 'FAILED'}  {name}\n          {closing}")
    print(f"  {minutes(time.monotonic() - began)} in all; on two cores the limit is {minutes(LIMITS[which])}")
    if not all(passed for _, _, passed in runs):
        sys.exit(1)


def server_for_tests():
    """Where PostgreSQL comes from; leaves with a sentence when there is none."""
    programs = postgres.binaries()
    if programs is None and not os.environ.get("DATABASE_URL", "").startswith("postgres"):
        raise SystemExit(postgres.HOW_TO_GET_IT)
    return postgres.source(programs)


def minutes(seconds):
    whole, rest = divmod(round(seconds), 60)
    return f"{whole}:{rest:02}"


def run(name, command, environment):
    """Run pytest, showing what it prints; its name, closing line, and whether tests ran and all passed."""
    print(f"\n== {name}", flush=True)
    closing = "pytest did not finish"
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        for line in process.stdout:
            print(line, end="", flush=True)
            if CLOSING_LINE.match(line.strip()):
                closing = line.strip().strip("= ")
    passed = process.returncode == 0 and " passed" in closing and not re.search(r"skipped|xfailed|error", closing)
    return name, closing, passed


def install_chromium():
    """Debian's own package for root, else Playwright's download; leaves with a sentence when neither comes."""
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
    main(*sys.argv[1:])
