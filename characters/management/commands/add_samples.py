from typing import Any

from django.core.management.base import BaseCommand, CommandError

from characters.change.refusals import Refused
from characters.samples import add_samples


class Command(BaseCommand):
    help = "Adds the three sample characters that anyone may copy. Those already there are left as they are."

    def handle(self, **options: Any) -> None:
        try:
            added = add_samples()
        except Refused as refused:
            raise CommandError(refused.sentence) from refused
        self.stdout.write(f"Samples added: {', '.join(added)}." if added else "The samples are there already.")
