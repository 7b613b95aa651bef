"""Runs several acts together, each in a thread and on a connection of its own."""

import threading

from django.db import connection


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
