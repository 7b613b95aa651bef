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
import sys
import threading
import time
import uuid
from dataclasses import dataclass, field

from .serving import Player, free_port, kill, start


@dataclass
class Told:
    """The keys of acknowledged forms, the number of cut-off attempts, and the statuses of wrong answers."""

    acknowledged: set[str] = field(default_factory=set)
    cut_off: int = 0
    wrong: list[int] = field(default_factory=list)
    over: bool = False


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--writers", type=int, default=4)
    arguments = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.soak.settings")
    import django

    django.setup()
    sys.exit(0 if nothing_is_lost(**vars(arguments)) else 1)


def nothing_is_lost(kills, writers) -> bool:
    from django.db import connection

    player = Player()
    began = time.monotonic()
    told = kill_and_kill_again(player, kills, writers)
    _, journal, replays = player.stored()
    lost = told.acknowledged - set(journal)
    right = bool(told.acknowledged) and not lost and not told.wrong and replays
    print(
        f"{connection.vendor}: {kills} kills under {writers} writers: "
        f"{len(told.acknowledged):,} acknowledged, {len(lost)} lost, {told.cut_off:,} cut off, "
        f"{len(told.wrong)} answers of 4xx or 5xx; {len(journal):,} changes in the journal, which "
        f"{'replays' if replays else 'DIFFERS'}; {time.monotonic() - began:.0f} s: "
        f"{'as it must be' if right else 'WRONG'}"
    )
    return right


def kill_and_kill_again(player, kills, writers) -> Told:
    told, port, chance = Told(), free_port(), random.Random(7)
    threads = [threading.Thread(target=write, args=(player, port, told)) for _ in range(writers)]
    server = start(port)
    for thread in threads:
        thread.start()
    for _ in range(kills):
        seen = len(told.acknowledged)
        waited = time.monotonic()
        # Kill only under load: wait until one more was acknowledged since the last kill.
        while len(told.acknowledged) == seen and time.monotonic() - waited < 30:
            time.sleep(0.01)
        time.sleep(chance.uniform(0, 0.3))
        kill(server)
        server = start(port)
    told.over = True
    for thread in threads:
        thread.join()
    kill(server)
    return told


def write(player, port, told):
    """Send hits of 1, one form after the other; a form that was cut off is sent again with the same key."""
    key = uuid.uuid4().hex
    while not told.over:
        try:
            answer = player.hit(port, {"key": key, "amount": 1, "type": "fire", "do": "take-damage"})
        except (OSError, http.client.HTTPException):
            told.cut_off += 1
            time.sleep(0.02)
            continue
        if answer.status == 200:
            told.acknowledged.add(key)
        else:
            told.wrong.append(answer.status)
        key = uuid.uuid4().hex


if __name__ == "__main__":
    main()
