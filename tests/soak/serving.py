"""The real server in separate processes, a character, and a player who posts hits to it."""

import contextlib
import hashlib
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.parse
from dataclasses import dataclass

HEAVY = {"advancement": "milestone", "healthPer": "level", "woundThresholdMultiplier": "0", "massiveDamage": "off"}
TOKEN = "t" * 32
# A form gets a new token and a new key each time that it is drawn.
DRAWN_ANEW = re.compile(rb'name="(csrfmiddlewaretoken|key)" value="[^"]*"')


@dataclass(frozen=True)
class Answer:
    """The answer to a form: the version that it names, its sentence and a hash of the regions of the sheet."""

    status: int
    version: str = ""
    said: str = ""
    regions: str = ""

    @property
    def sequence(self) -> int:
        """The sequence of the change that the version names."""
        return int(self.version.partition(".")[0])


class Player:
    """Somebody whose character has enough health for all hits."""

    def __init__(self):
        from django.test import Client

        from tests.characters.play.table import seated

        seat = seated(level=3, milestone=1_000, ranks={"vitality": 20}, switches=HEAVY)
        client = Client()
        client.force_login(seat.who.user)
        self.pk = seat.character.pk
        cookies = f"sessionid={client.cookies['sessionid'].value}; csrftoken={TOKEN}"
        self.headers = {"Cookie": cookies, "X-CSRFToken": TOKEN, "HX-Request": "true"}

    def ask(self, port, method, below="", body=None, **headers):
        """Status, headers and body. Raises OSError or HTTPException when the server does not answer to the end."""
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", port, timeout=60)) as link:
            link.request(method, f"/characters/{self.pk}/{below}", body, {**self.headers, **headers})
            response = link.getresponse()
            return response.status, response.headers, response.read()

    def hit(self, port, form, version="") -> Answer:
        """Post the form from a sheet that shows this version."""
        kind = "application/x-www-form-urlencoded"
        more = {"Content-Type": kind, "X-Version": version}
        status, headers, body = self.ask(port, "POST", f"play/{form['do']}/", urllib.parse.urlencode(form), **more)
        if status != 200:
            return Answer(status)
        told = json.loads(headers["HX-Trigger"])
        regions = hashlib.sha256(DRAWN_ANEW.sub(b"", body)).hexdigest()
        return Answer(status, told["version"]["value"], told["say"]["value"], regions)

    def stored(self) -> tuple[int, dict[str, int], bool]:
        """Damage taken, the journal's changes by key, and True if these replay to the stored character."""
        from characters.change import fact_store
        from characters.models import Character

        character = Character.objects.select_related("ruleset").get(pk=self.pk)
        facts = fact_store.stored(character)
        replayed, journal = {}, {}
        for key, sequence, after in character.changes.order_by("sequence").values_list("key", "sequence", "after"):
            journal[key] = sequence
            replayed |= after
        same = {a: v for a, v in replayed.items() if v} == {a: v for a, v in facts.items() if v}
        return facts.get("spent:health", 0), journal, same


@contextlib.contextmanager
def serving(many, player, module):
    """The ports of the servers, each of which has shown the player's sheet."""
    ports = [free_port() for _ in range(many)]
    servers = [start(port, module) for port in ports]
    try:
        for port, server in zip(ports, servers, strict=True):
            wait_for(port, server, player)
        yield ports
    finally:
        for server in servers:
            kill(server)


def start(port, module="polyhedral_site") -> subprocess.Popen:
    """Start a server in a process group of its own, with the settings of this process."""
    environment = {**os.environ, "HOST": "127.0.0.1", "PORT": str(port)}
    return subprocess.Popen([sys.executable, "-m", module], env=environment, stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL, start_new_session=True)  # fmt: skip


def wait_for(port, server, player):
    began = time.monotonic()
    while True:
        try:
            status, _, _ = player.ask(port, "GET")
        except OSError:
            if server.poll() is not None or time.monotonic() - began > 60:
                raise
            time.sleep(0.05)
            continue
        if status != 200:
            raise RuntimeError(f"The sheet is answered with {status}.")
        return


def kill(server):
    os.killpg(server.pid, signal.SIGKILL)
    server.wait()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
