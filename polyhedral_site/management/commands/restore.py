from pathlib import Path
from typing import ClassVar

from django.core.management import BaseCommand, CommandError

from polyhedral_site.backup.folder import BackupError
from polyhedral_site.backup.restore_backup import restore


class Command(BaseCommand):
    help = "Puts a backup back, where there is no site yet. The site must not be running."

    requires_system_checks: ClassVar = []

    def add_arguments(self, parser):
        parser.add_argument("folder", type=Path)
        parser.add_argument("--replace", action="store_true", help="delete the site that is here")

    def handle(self, *, folder, replace, **options):
        try:
            restore(folder.absolute(), replace=replace, say=self.say)
        except BackupError as error:
            raise CommandError(str(error)) from error

    def say(self, line):
        self.stdout.write(line)
        self.stdout.flush()
