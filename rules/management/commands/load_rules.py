from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from rules.packs.load import PackError, load_rules, shipped


class Command(BaseCommand):
    help = (
        "Loads a pack into the database. Safe to run again: rows are found by name and updated in place. Edits made in "
        "the admin stay, except in rows that the pack changes, too."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        about = "The name of a pack of the project (polyhedral-core), or a folder. Default: all packs of the project."
        parser.add_argument("pack", nargs="?", help=about)
        parser.add_argument("--dry-run", action="store_true", help="Write nothing; print what would change.")
        parser.add_argument(
            "--force", action="store_true", help="Make the rows as the pack has them, even if they were edited."
        )

    def handle(self, *, pack: str | None, **options: Any) -> None:
        for one in [pack] if pack else shipped():
            self.load(one, **options)

    def load(self, pack: str, *, dry_run: bool, force: bool, **options: Any) -> None:
        try:
            report = load_rules(pack, save=not dry_run, force=force)
        except PackError as error:
            raise CommandError("\n".join([f"{pack} cannot be loaded:", *error.problems])) from None
        if options["verbosity"]:
            for line in report.lines if dry_run or options["verbosity"] > 1 else ():
                self.stdout.write(line)
            self.stdout.write(f"{pack}{' (nothing written)' if dry_run else ''}: {report}")
            for what, rows in (("kept", report.kept), ("replaced", report.replaced)):
                if rows:
                    self.stdout.write(f"Edited here, and {what}: {', '.join(rows)}.")
