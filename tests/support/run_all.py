"""The whole suite, on every database, with what it needs: `make test`.

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

LIMIT = 15 * 60  # seconds on two cores
CLOSING_LINE = re.compile(r"^=+ .*\bin [\d.]+s.*=+$")


def main():
    programs = postgres.binaries()
    if programs is None and not os.environ.get("DATABASE_URL", "").startswith("postgres"):
        raise SystemExit(postgres.HOW_TO_GET_IT)
    browser = chromium.find() or install_chromium()

    without_database = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    without_database["CHROMIUM"] = browser
    pytest = [sys.executable, "-m", "pytest", "-n", "2", "--dist", "worksteal", *sys.argv[1:]]
    on_postgresql = [sys.executable, "-m", "tests.support.postgres", "--", *pytest]
    began = time.monotonic()
    runs = [
        run(f"SQLite {sqlite3.sqlite_version}", [*pytest, "-m", "not browser"], without_database),
        run(f"PostgreSQL ({postgres.source(programs)})", [*on_postgresql, "-m", "not browser"], dict(os.environ)),
        # The two before have migrated; here the tables are made as the models stand, which is the same and quicker.
        run(f"Chromium on SQLite ({browser})", [*pytest, "-m", "browser", "--no-migrations"], without_database),
    ]
    print("\nWhat ran on what:")
    for name, closing, passed in runs:
        print(f"  {'ok    ' if passed else 'FAILED'}  {name}\n          {closing}")
    print(f"  {minutes(time.monotonic() - began)} in all; on two cores the limit is {minutes(LIMIT)}")
    if not all(passed for _, _, passed in runs):
        sys.exit(1)


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
    main()
