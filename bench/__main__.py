"""Measure the site against the floor and print the ratios.

    make bench
    python -m bench [--postgres] [--only TEXT]     TEXT: part of the names of the figures wanted

Times are processor time: of the server for one request, with eight connections open, or of one call of a computation.
Each figure is measured in turn with the one it is compared to. Ratios carry over to other machines; times do not.
"""

import argparse
import contextlib
import os
import subprocess
import sys
import tempfile

from tests.support import postgres


def main():
    parser = argparse.ArgumentParser("bench", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--postgres", action="store_true", help="measure on PostgreSQL, not on SQLite")
    parser.add_argument("--only", metavar="TEXT", default="", help="only the figures with this in their names")
    asked = parser.parse_args()
    with contextlib.ExitStack() as stack:
        data = stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-"))
        if asked.postgres:
            floor_url = site_url = stack.enter_context(postgres.server())
            big_url = stack.enter_context(postgres.server())
        else:
            floor_url, site_url, big_url = (f"sqlite:///{data}/{name}.sqlite3" for name in ("floor", "site", "big"))
        floor = {"DATA_DIR": data, "DATABASE_URL": floor_url, "PORT": "0", "DJANGO_SETTINGS_MODULE": "bench.floor"}
        run(["-m", "bench.floor_setup"], floor)
        site = {
            "DATA_DIR": data,
            "SECRET_KEY": "only-for-the-bench",
            "PRODUCTION": "0",
            "DEBUG": "0",
            "DATABASE_URL": site_url,
            "FLOOR_DATABASE_URL": floor_url,
            "BIG_DATABASE_URL": big_url,
            "PATH": postgres.path(),
            "DJANGO_SETTINGS_MODULE": "polyhedral_site.settings",
        }
        run(["manage.py", "prepare"], site)
        run(["-m", "bench.measure", asked.only], site)


def run(arguments, environment):
    code = subprocess.run([sys.executable, *arguments], env={**os.environ, **environment}, check=False).returncode
    if code:
        sys.exit(code)


if __name__ == "__main__":
    main()
