"""Many writers on one character, in several processes: what they were told and what is stored must be the same.

    python -m tests.soak.writers [--writers 64] [--changes 25] [--processes 4] [--unlocked]

works on the database of the settings, which it expects to be throw-away (see `make soak`). Each writer is a thread
with a connection of its own. `--unlocked` takes the lock away, as a control: changes must get lost then. Ends with 1
when the counts are not what they should be.
"""

import argparse
import contextlib
import json
import os
import subprocess
import sys
import threading
import time
import uuid
from dataclasses import asdict, dataclass, field
from unittest.mock import patch

HEAVY = {"advancement": "milestone", "healthPer": "level", "woundThresholdMultiplier": "0", "massiveDamage": "off"}


@dataclass
class Count:
    """What one process was told: damage and changes that were acknowledged, refusals, failures, which changes."""

    damage: int = 0
    changes: int = 0
    refused: int = 0
    failed: int = 0
    answers: list[int] = field(default_factory=list)


def main():
    arguments = read_arguments()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    import django

    django.setup()
    if arguments.character:
        print(json.dumps(asdict(write(arguments))))
        return
    from django.db import connection

    pk = a_character()
    before = stored(pk)
    began = time.monotonic()
    command = [sys.executable, "-m", "tests.soak.writers", "--character", str(pk), "--changes", str(arguments.changes)]
    command += ["--writers", str(arguments.writers // arguments.processes), "--key", arguments.key]
    command += ["--unlocked"] * arguments.unlocked
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(arguments.processes)]
    told = [Count(**json.loads(process.communicate()[0] or '{"failed": 1}')) for process in processes]
    after = stored(pk)
    answers = {number for count in told for number in count.answers}
    failed = sum(count.failed for count in told)
    changes = sum(count.changes for count in told)
    wanted = {
        "damage": sum(count.damage for count in told) // (changes if arguments.key else 1),
        "changes": 1 if arguments.key else changes,
    }
    moved = {name: after[name] - before[name] for name in wanted}
    right = moved == wanted and not failed and len(answers) == wanted["changes"] and after["replays"]
    print(
        f"{connection.vendor}: {arguments.writers} writers x {arguments.changes} in {arguments.processes} processes"
        f"{', one form' if arguments.key else ''}{', no lock' if arguments.unlocked else ''}: "
        f"{changes:,} acknowledged as {len(answers):,} changes, {moved['changes']:,} in the journal; "
        f"damage {wanted['damage']:,} told, {moved['damage']:,} stored; {failed:,} failures; "
        f"journal {'replays' if after['replays'] else 'DIFFERS'}; {time.monotonic() - began:.1f} s: "
        f"{'equal' if right else 'different'}, as it must be"[: None if bool(right) != arguments.unlocked else -15]
    )
    sys.exit(0 if bool(right) != arguments.unlocked else 1)


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--writers", type=int, default=64)
    parser.add_argument("--changes", type=int, default=25)
    parser.add_argument("--processes", type=int, default=4)
    parser.add_argument("--unlocked", action="store_true")
    parser.add_argument("--key", default="", help="everybody sends this one form")
    parser.add_argument("--character", type=int, default=0, help="for a writing process: the character to write on")
    return parser.parse_args()


def a_character() -> int:
    """Somebody with health enough for everybody's hits."""
    from tests.characters.play.table import seated

    return seated(level=3, milestone=1_000, ranks={"vitality": 20}, switches=HEAVY).character.pk


def stored(pk) -> dict[str, int]:
    """Damage taken, how many changes the journal holds, and whether they replay to what is stored."""
    from characters import rows
    from characters.models import Character

    character = Character.objects.select_related("ruleset").get(pk=pk)
    facts = rows.stored(character)
    replayed = {}
    for after in character.changes.order_by("sequence").values_list("after", flat=True):
        replayed |= after
    same = {a: v for a, v in replayed.items() if v} == {a: v for a, v in facts.items() if v}
    return {"damage": facts.get("spent:health", 0), "changes": character.changes.count(), "replays": same}


def write(arguments) -> Count:
    """The writers of one process, all on the character at once."""
    count, told = Count(), threading.Lock()
    ready = threading.Barrier(arguments.writers)
    with unlocked() if arguments.unlocked else contextlib.nullcontext():
        threads = [
            threading.Thread(target=one_writer, args=(arguments, count, told, ready)) for _ in range(arguments.writers)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    return count


def one_writer(arguments, count, told, ready):
    """Hits of 1 to 5 and, now and then, healing; what each was told is added up."""
    from django.db import connection

    from characters.journal import Refused
    from characters.verbs import play
    from tests.characters.cast import person

    who = person()
    give_back(connection)
    ready.wait()
    for at in range(arguments.changes):
        key = arguments.key or uuid.uuid4().hex
        change, word = None, "changes"
        try:
            if at % 5 == 4 and not arguments.key:
                change = play.heal(arguments.character, who, key, amount=1 + at % 3)
            else:
                change = play.take_damage(arguments.character, who, key, amounts=[(1 + at % 5, "fire")])
        except Refused:
            word = "refused"
        except Exception as error:
            print(repr(error)[:300], file=sys.stderr) if not arguments.unlocked else None
            word = "failed"
        give_back(connection)
        with told:
            setattr(count, word, getattr(count, word) + 1)
            if change:
                count.answers.append(change.sequence)
                count.damage += change.after["spent:health"] - change.before["spent:health"]
    connection.close()


def give_back(connection):
    """To the pool, as at the end of a request."""
    if connection.vendor == "postgresql":
        connection.close()


@contextlib.contextmanager
def unlocked():
    """The control: transactions that take no lock before they read."""
    from django.db import connection

    from characters import journal
    from characters.lookup import Lookup

    with patch.object(journal, "locked", Lookup(lambda all, person: all.kept_by(person))):
        if connection.vendor == "sqlite":
            connection.settings_dict["OPTIONS"]["transaction_mode"] = "DEFERRED"
        yield


if __name__ == "__main__":
    main()
