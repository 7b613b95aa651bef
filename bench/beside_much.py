"""A sheet and a search with much content, compared with those with only the core rules; and the first sheet of a
process."""

import json
import os
import subprocess
import sys

from . import pages
from .figures import judged, told
from .server_load import Host, Load, Request, compared, server, started_apart

MOST, MOST_COLD = 1.2, 2.0


@told("with 5,000 entries in 50 sources, and 1,000 private ones")
def beside_much(host):
    """Ratios to the sheet and the search with the small database."""
    url = os.environ["BIG_DATABASE_URL"]
    if url == os.environ["DATABASE_URL"]:
        return "not measured; it needs a PostgreSQL of its own"
    there = {**os.environ, "DATABASE_URL": url}
    run = {"env": there, "check": True, "stdout": subprocess.PIPE}
    subprocess.run([sys.executable, "manage.py", "prepare"], **run)
    filled = subprocess.run([sys.executable, "-m", "bench.much_content"], **run)
    sheet = Request(**json.loads(filled.stdout))
    with server("polyhedral_site.settings", {"DATABASE_URL": url}) as big:
        ratios = {
            "the sheet": compared(Load.of(big, sheet), pages.sheet(host), MOST)[2],
            "the search": compared(Load.of(big, pages.looked_up()), pages.search(host), MOST)[2],
        }
    cold = first_answer(sheet, url)
    said = ", ".join(f"{name} {ratio:.2f}" for name, ratio in ratios.items())
    return judged(
        f"{said}, at most {MOST}; the first sheet of a cold process {cold:.1f} s, at most {MOST_COLD:.0f} s",
        max(ratios.values()) > MOST or cold > MOST_COLD,
    )


def first_answer(request, url):
    """Processor seconds of a server from its start to its first sheet. On an idle machine, they equal the elapsed
    time."""
    with started_apart(DATABASE_URL=url) as site:
        status, _, _ = site.ask("GET", request.path, headers=request.headers)
        assert status == 200, status
        return Host(site.process.pid, site.port).spent() / 1000
