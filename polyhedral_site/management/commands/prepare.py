import hashlib

from django.conf import settings
from django.core.management import BaseCommand, call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

# What a site is made ready from; when none of it has changed there is nothing to do.
INGREDIENTS = ("*/migrations/*.py", "rules/packs/**/*", "static/**/*", "requirements.txt")


class Command(BaseCommand):
    help = (
        "Make the site ready to serve: database, rules, sample characters, static files. "
        "Safe to run twice; the second time it only looks whether anything has changed."
    )

    def handle(self, *, verbosity, **options):
        settings.DATA_DIR.mkdir(parents=True, exist_ok=True)
        stamp = settings.DATA_DIR / "prepared"
        current = fingerprint()
        if stamp.exists() and stamp.read_text() == current and not unapplied_migrations():
            return
        call_command("migrate", verbosity=0)
        call_command("createcachetable", verbosity=0)
        call_command("load_rules", "polyhedral-core")
        call_command("add_samples")
        call_command("collectstatic", interactive=False, verbosity=0)
        stamp.write_text(current)


def fingerprint():
    """A hash over the ingredients and the name of the database."""
    seen = hashlib.sha256(repr(settings.DATABASES["default"]["NAME"]).encode())
    for pattern in INGREDIENTS:
        for path in sorted(settings.BASE_DIR.glob(pattern)):
            if path.is_file() and ".venv" not in path.parts:
                seen.update(str(path.relative_to(settings.BASE_DIR)).encode())
                seen.update(path.read_bytes())
    return seen.hexdigest()


def unapplied_migrations():
    executor = MigrationExecutor(connection)
    return executor.migration_plan(executor.loader.graph.leaf_nodes())
