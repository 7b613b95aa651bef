from typing import Any

from django.core.management.base import CommandError, CommandParser

from characters.change.replay import replay_all
from characters.management.progress import ProgressPrinter, SayingCommand

SHOWN = 5


class Command(SayingCommand):
    help = "Replays the journal of every character and compares the result with what is stored. Changes nothing."

    requires_system_checks: list[str] = []  # they load every page; each backup runs this, on a copy of the database

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--except",
            nargs="*",
            type=int,
            default=[],
            dest="known",
            metavar="ID",
            help="characters whose journals are known not to replay",
        )

    def handle(self, *, known: list[int], **options: Any) -> None:
        number, faults, progress = 0, [], ProgressPrinter(self.say)
        for number, (pk, fault) in enumerate(replay_all(), 1):
            if fault and pk not in known:
                faults.append(f"character {pk}: {fault}")
            progress.tell(f"{number:,} journals replayed ...")
        if faults:
            more = f" And {len(faults) - SHOWN:,} more." if len(faults) > SHOWN else ""
            raise CommandError(
                f"{len(faults):,} of {number:,} journals do not replay. {'. '.join(faults[:SHOWN])}.{more}"
            )
        self.say(f"{number:,} journals replayed.")
