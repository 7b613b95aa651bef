"""Reports the progress of long work."""

import time
from collections.abc import Callable

from django.core.management import BaseCommand

EVERY = 2  # seconds


class ProgressPrinter:
    """Prints at most one line every two seconds, however often it is called."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self.say, self.said = say, time.monotonic()

    def tell(self, line: str) -> None:
        if time.monotonic() - self.said >= EVERY:
            self.say(line)
            self.said = time.monotonic()


class SayingCommand(BaseCommand):
    """A command whose lines appear at once, also in a pipe."""

    def say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()
