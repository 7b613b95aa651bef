"""Runs several acts at the same time, each in its own thread with its own connection."""

import threading
import time

from django.db import connection

WAITING = "SELECT count(*) FROM pg_locks WHERE NOT granted"


def at_once(*acts):
    """The result of each act, or the exception that it raised."""
    ready, answers = threading.Barrier(len(acts)), [None] * len(acts)

    def run(at, act):
        ready.wait()
        try:
            answers[at] = act()
        except Exception as error:
            answers[at] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(acts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


def until_one_waits():
    """Return once another connection waits for a lock. SQLite does not list them, so there it returns immediately."""
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        for _ in range(1_000):
            if cursor.execute(WAITING).fetchone()[0]:
                return
            time.sleep(0.01)
    raise AssertionError("Nobody waits for a lock.")
