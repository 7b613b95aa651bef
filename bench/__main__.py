"""Measure the site against the floor and print the ratios: `make bench`, or `python -m bench --postgres`.

Times are processor time of the server for one request, with eight connections open, and processor time of one call for
what is computed. Ratios carry over to other machines, times do not.
"""

import contextlib
import json
import os
import subprocess
import sys
import tempfile

from tests.support import postgres

from .load import Request, cost, server

TOKEN = "a" * 32
FLOOR = {
    "page": Request("/page/"),
    "bump": Request("/bump/", "POST", {"Cookie": f"csrftoken={TOKEN}", "X-CSRFToken": TOKEN}),
}


def main():
    with contextlib.ExitStack() as stack:
        data = stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-"))
        environment = {"DATA_DIR": data, "SECRET_KEY": "only-for-the-bench", "PRODUCTION": "0", "DEBUG": "0"}
        if "--postgres" in sys.argv[1:]:
            floor_url = site_url = stack.enter_context(postgres.server())
        else:
            floor_url, site_url = f"sqlite:///{data}/floor.sqlite3", f"sqlite:///{data}/site.sqlite3"
        floor = {"DATABASE_URL": floor_url, "PORT": "0", "DJANGO_SETTINGS_MODULE": "bench.floor"}
        python(["-m", "bench.floor_setup"], floor)
        site = {**environment, "DATABASE_URL": site_url, "DJANGO_SETTINGS_MODULE": "polyhedral_site.settings"}
        python(["manage.py", "prepare"], site)
        with server("bench.floor", floor) as (process, port):
            costs = {name: cost(process, port, request) for name, request in FLOOR.items()}
        python(["-m", "bench.measure", json.dumps(costs)], site)


def python(arguments, environment):
    subprocess.run([sys.executable, *arguments], env={**os.environ, **environment}, check=True)


if __name__ == "__main__":
    main()
