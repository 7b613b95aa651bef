"""A serving process killed again and again while it writes: nothing that it acknowledged may be lost.

    python -m tests.soak.kills [--kills 200] [--writers 4]

works on the database of the settings, which it expects to be throw-away (see `make soak`). Writers post hits to the
live sheet over HTTP, each form with a key of its own, and note which were acknowledged. Every so often the server gets
SIGKILL and is started again. In the end each acknowledged key must be in the journal, and the journal must replay to
what is stored. Ends with 1 when it does not, or when nothing was acknowledged.
"""

import argparse
import http.client
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.parse
import uuid
from dataclasses import dataclass, field

from .writers import a_character, stored


@dataclass
class Told:
    """Keys of forms that were answered as done, and how many tries ended in nothing."""

    acknowledged: set[str] = field(default_factory=set)
    cut_off: int = 0
    wrong: list[int] = field(default_factory=list)
    over: bool = False


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--writers", type=int, default=4)
    arguments = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    import django

    django.setup()
    from django.db import connection

    pk = a_character()
    cookie = signed_in()
    connection.close()
    began = time.monotonic()
    told = kill_and_kill_again(pk, cookie, arguments)
    after, kept = stored(pk), keys_of(pk)
    lost = told.acknowledged - kept
    right = told.acknowledged and not lost and not told.wrong and after["replays"]
    print(
        f"{connection.vendor}: {arguments.kills} kills under {arguments.writers} writers: "
        f"{len(told.acknowledged):,} acknowledged, {len(lost)} lost, {told.cut_off:,} cut off, "
        f"{len(told.wrong)} answers of 4xx or 5xx; {after['changes']:,} changes in the journal, which "
        f"{'replays' if after['replays'] else 'DIFFERS'}; {time.monotonic() - began:.0f} s: "
        f"{'as it must be' if right else 'WRONG'}"
    )
    sys.exit(0 if right else 1)


def signed_in() -> str:
    """The session cookie of the character's owner."""
    from django.test import Client

    from tests.characters.cast import person

    client = Client()
    client.force_login(person().user)
    return client.cookies["sessionid"].value


def keys_of(pk) -> set[str]:
    from characters.models import Change

    return set(Change.objects.filter(character=pk).values_list("key", flat=True))


def kill_and_kill_again(pk, cookie, arguments) -> Told:
    told, port, chance = Told(), free_port(), random.Random(7)
    writers = [
        threading.Thread(target=write, args=(pk, cookie, port, told, number)) for number in range(arguments.writers)
    ]
    server = start(port)
    for writer in writers:
        writer.start()
    for _ in range(arguments.kills):
        seen = len(told.acknowledged)
        waited = time.monotonic()
        # Under load: at least one more was acknowledged since the last kill.
        while len(told.acknowledged) == seen and time.monotonic() - waited < 30:
            time.sleep(0.01)
        time.sleep(chance.uniform(0, 0.3))
        os.killpg(server.pid, signal.SIGKILL)
        server.wait()
        server = start(port)
    told.over = True
    for writer in writers:
        writer.join()
    os.killpg(server.pid, signal.SIGKILL)
    server.wait()
    return told


def start(port) -> subprocess.Popen:
    """The site's own server, in a group of its own, as the settings of this process say."""
    environment = {**os.environ, "HOST": "127.0.0.1", "PORT": str(port)}
    command = [sys.executable, "-m", "polyhedral_site"]
    return subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                            start_new_session=True)  # fmt: skip


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def write(pk, cookie, port, told, number):
    """Hits of one, a form after the other; what is cut off is sent again with the same key."""
    token = "t" * 32
    headers = {
        "Cookie": f"sessionid={cookie}; csrftoken={token}",
        "X-CSRFToken": token,
        "Content-Type": "application/x-www-form-urlencoded",
    }
    key = uuid.uuid4().hex
    while not told.over:
        body = urllib.parse.urlencode({"key": key, "amount": "-1", "kind": "fire"})
        try:
            link = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
            link.request("POST", f"/characters/{pk}/play/hit/", body, headers)
            status = link.getresponse().status
            link.close()
        except (OSError, http.client.HTTPException):
            told.cut_off += 1
            time.sleep(0.02)
            continue
        if status == 303:
            told.acknowledged.add(key)
        else:
            told.wrong.append(status)
        key = uuid.uuid4().hex


if __name__ == "__main__":
    main()
