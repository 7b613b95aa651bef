import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from rules.lint import check_rules
from rules.models import Ruleset


class Command(BaseCommand):
    help = "Looks for faults in the rules of the database: rings, dead ends, choices without options ..."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("ruleset", nargs="?", help="Only this ruleset.")

    def handle(self, *, ruleset: str | None, **options: Any) -> None:
        rulesets = Ruleset.objects.filter(**({"slug": ruleset} if ruleset else {}))
        if not rulesets:
            raise CommandError(f"There is no ruleset {ruleset}." if ruleset else "No rules are loaded.")
        errors = 0
        for each in rulesets:
            findings = check_rules(each)
            errors += sum(finding.error for finding in findings)
            for finding in findings:
                self.stdout.write(f"{each.slug}  {finding}")
            if not findings:
                self.stdout.write(f"{each.slug}  nothing to report")
        if errors:
            sys.exit(1)
