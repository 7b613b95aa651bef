from pathlib import Path
from typing import Any, ClassVar

from django.core.management import CommandError, CommandParser

from characters.management.progress import SayingCommand
from polyhedral_site.backup.folder import BackupError
from polyhedral_site.backup.make import make_backup


class Command(SayingCommand):
    help = "Writes a backup of the site into a new folder, and checks it. The site may run meanwhile."

    requires_system_checks: ClassVar[list[str]] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path)

    def handle(self, *, folder: Path, **options: Any) -> None:
        folder = folder.absolute()
        try:
            make_backup(folder, self.say)
        except BackupError as error:
            raise CommandError(str(error)) from error
        self.say(f"The backup is in {folder}. Keep it where nobody else may read it: it holds the secret key.")
