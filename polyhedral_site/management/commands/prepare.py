import hashlib
from typing import Any, ClassVar

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.exceptions import ImproperlyConfigured
from django.core.management import BaseCommand, call_command
from django.db import DEFAULT_DB_ALIAS

from characters.pages.compiled_regions import compile_anew
from polyhedral_site import migration_state, occupied
from polyhedral_site.environment import make_data_dir
from polyhedral_site.saying import look_for_the_database
from rules.games import GAMES
from rules.models import Ruleset
from rules.publications import publish_missing


class Command(BaseCommand):
    help = (
        "Makes the site ready to serve: database, rules, sample characters, static files, and the nightly clean-up. "
        "Safe to run again: it skips everything that has not changed."
    )

    requires_system_checks: ClassVar[list[str]] = []  # they query the database, whose folder may not exist yet

    def handle(self, **options: Any) -> None:
        make_data_dir(settings.DATA_DIR)
        with occupied.shared(settings.DATA_DIR):
            self.prepare()

    def prepare(self) -> None:
        look_for_the_database()
        migration_state.refuse_unknown(migration_state.applied(), "The database")
        self.check(databases=[DEFAULT_DB_ALIAS])
        call_command("migrate", verbosity=0)
        look_for_the_games()
        call_command("createcachetable", verbosity=0)
        call_command("load_rules")
        publish_missing()
        call_command("add_samples")
        call_command("nightly")
        collect_static()
        compile_anew()


def look_for_the_games() -> None:
    """Raise ImproperlyConfigured if the database has rules of a game that this version does not know."""
    if lost := Ruleset.objects.exclude(game__in=GAMES).first():
        raise ImproperlyConfigured(
            f"The ruleset {lost} belongs to the game “{lost.game}”, which this version does not have. Start a version "
            "that has it, or restore a backup without it."
        )


def collect_static() -> None:
    """Collect and compress the static files, which takes seconds, unless the same files were collected before."""
    stamp = settings.DATA_DIR / "static-collected"
    current = static_digest()
    if not stamp.exists() or stamp.read_text() != current:
        stamp.unlink(missing_ok=True)  # if this is interrupted, the next start does it again
        call_command("collectstatic", interactive=False, verbosity=0, clear=True)
        stamp.write_text(current)


def static_digest() -> str:
    digest = hashlib.sha256()
    for finder in get_finders():
        for name, storage in finder.list([]):
            digest.update(name.encode())
            with storage.open(name) as file:
                digest.update(file.read())
    return digest.hexdigest()
