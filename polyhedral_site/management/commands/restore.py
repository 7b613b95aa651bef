from pathlib import Path
from typing import Any, ClassVar

from django.core.management import CommandError, CommandParser

from characters.management.progress import SayingCommand
from polyhedral_site.backup.folder import BackupError
from polyhedral_site.backup.restore_backup import restore


class Command(SayingCommand):
    help = "Restores a backup where there is no site yet. The site must not be running."

    requires_system_checks: ClassVar[list[str]] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path)
        parser.add_argument("--replace", action="store_true", help="delete the site that is here")

    def handle(self, *, folder: Path, replace: bool, **options: Any) -> None:
        try:
            restore(folder.absolute(), replace=replace, say=self.say)
        except BackupError as error:
            raise CommandError(str(error)) from error
