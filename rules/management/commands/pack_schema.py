from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from rules.packs.schema import write_schemas
from rules.packs.vocabulary_page import page


class Command(BaseCommand):
    help = "Writes the JSON Schemas of a pack's files, for editors. They belong in a folder `schema` beside the pack's."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", nargs="?", type=Path, default=Path("schema"), help="Where to write.")
        parser.add_argument("--words", action="store_true", help="Print all keys and words as a page instead.")

    def handle(self, *, folder: Path, words: bool, **options: Any) -> None:
        if words:
            self.stdout.write(page(), ending="")
            return
        try:
            written = write_schemas(folder)
        except (OSError, ValueError) as wrong:  # a file is in the way, or no folder can have this name
            raise CommandError(f"The files cannot be written: {wrong}.") from wrong
        for path in written:
            self.stdout.write(str(path))
