"""Many writers change one character over HTTP at several servers. Everything they were told must be stored, and nothing
else.

    python -m tests.soak.writers [--writers 64] [--changes 25] [--servers 4]

works on the database of the settings, which it expects to be throw-away (see `make soak`). Then one form is sent eight
times at once. Then the first race is run again as a control, at servers without the lock: it must go wrong. Ends with 1
when anything is not as it must be.
"""

import argparse
import http.client
import os
import re
import sys
import threading
import time
import uuid
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from .serving import Answer, Player, serving

AMOUNT = re.compile(r" (takes|regains) (\d+) ")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--writers", type=int, default=64)
    parser.add_argument("--changes", type=int, default=25)
    parser.add_argument("--servers", type=int, default=4)
    arguments = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.soak.settings")
    import django

    django.setup()
    right = [run(**vars(arguments)) for run in (with_the_lock, without_the_lock)]
    sys.exit(0 if all(right) else 1)


def with_the_lock(writers, changes, servers) -> bool:
    """True if the forms of all writers count, and one form that eight send at once counts once."""
    player, same = Player(), [a_form(0)]
    with serving(servers, player, "tests.soak.several") as ports:
        each = race(player, ports, [own_forms(changes) for _ in range(writers)], f"{writers} writers x {changes}")
        one = race(player, ports, [same] * 8, "one form from 8 writers")
    return each and one


def without_the_lock(writers, changes, servers) -> bool:
    """True if the same race goes wrong without the lock."""
    player, name = Player(), f"{writers} writers x {changes} without the lock"
    with serving(servers, player, "tests.soak.unlocked") as ports:
        return race(player, ports, [own_forms(changes) for _ in range(writers)], name, must="different")


def a_form(at):
    """A hit of 1 to 4, or healing of 1 to 3 as every fifth form."""
    healing = at % 5 == 4
    amount = 1 + (at % 3 if healing else at % 5)
    return {"key": uuid.uuid4().hex, "amount": amount, "type": "fire", "do": "heal" if healing else "take-damage"}


def own_forms(changes):
    return [a_form(at) for at in range(changes)]


def race(player, ports, forms_of, name, must="equal") -> bool:
    """All writers post at once, each one form after the other; returns True if the race ends as `must` says.

    "equal": all forms are answered with 200, all answers to one form are equal and name its change, and these changes
    are what is stored. "nothing": none was acknowledged, which would prove nothing.
    """
    from django.db import connection

    damage_before, journal_before, _ = player.stored()
    began = time.monotonic()
    ready = threading.Barrier(len(forms_of))
    with ThreadPoolExecutor(len(forms_of)) as pool:
        tasks = [
            pool.submit(write, player, ports[number % len(ports)], forms, ready)
            for number, forms in enumerate(forms_of)
        ]
    answers = [answer for task in tasks for answer in task.result()]
    took = time.monotonic() - began
    damage, journal, replays = player.stored()
    statuses = Counter(answer.status for _, answer in answers)
    different = {(key, answer) for key, answer in answers if answer.status == 200}
    named = {key: answer.sequence for key, answer in different}
    kept = {key: sequence for key, sequence in journal.items() if key not in journal_before}
    told, stored = sum(damage_said(answer) for _, answer in different), damage - damage_before
    right = set(statuses) == {200} and len(different) == len(named) and named == kept and told == stored and replays
    outcome = ("equal" if right else "different") if named else "nothing"
    print(
        f"{connection.vendor}: {name} at {len(ports)} servers: "
        f"{', '.join(f'{many:,} answers of {status}' for status, many in sorted(statuses.items()))}; "
        f"{len(named):,} changes acknowledged in {len(different):,} different answers, {len(kept):,} in the journal; "
        f"damage {told:,} told, {stored:,} stored; journal {'replays' if replays else 'DIFFERS'}; "
        f"{took:.1f} s: {outcome}, {'as it must be' if outcome == must else 'WRONG'}",
        flush=True,
    )
    return outcome == must


def write(player, port, forms, ready) -> list[tuple[str, Answer]]:
    """Post the forms; returns the answer to each by its key. Each form names the version of the answer before."""
    answers, version = [], ""
    ready.wait()
    for form in forms:
        try:
            answer = player.hit(port, form, version)
        except (OSError, http.client.HTTPException):
            answer = Answer(0)
        version = answer.version
        answers.append((form["key"], answer))
    return answers


def damage_said(answer) -> int:
    word, amount = AMOUNT.search(answer.said).groups()
    return int(amount) if word == "takes" else -int(amount)


if __name__ == "__main__":
    main()
