from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from rules.models import Source
from rules.packs.export import export_rules


class Command(BaseCommand):
    help = "Writes a source of the database as the YAML files of a pack, always in the same form."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("source", help="The slug of the source (polyhedral-core), or ruleset/source.")
        parser.add_argument(
            "folder", nargs="?", type=Path, help="Where to write. Default: a folder named like the source."
        )

    def handle(self, *, source: str, folder: Path | None, **options: Any) -> None:
        ruleset, _, slug = source.rpartition("/")
        found = Source.objects.filter(slug=slug, **({"ruleset__slug": ruleset} if ruleset else {}))
        if not found:
            known = ", ".join(f"{row.ruleset.slug}/{row.slug}" for row in Source.objects.select_related("ruleset"))
            raise CommandError(f"There is no source {source}; there are: {known or 'none'}.")
        if len(found) > 1:
            raise CommandError(f"Several rulesets have a source {slug}: write ruleset/{slug}.")
        try:
            written = export_rules(found[0], folder or Path(slug))
        except (OSError, ValueError) as wrong:  # a file is in the way, or no folder can have this name
            raise CommandError(f"The files cannot be written: {wrong}.") from wrong
        for path in written:
            self.stdout.write(str(path))
