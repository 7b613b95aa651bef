"""Restores a backup: either all of it, or the present data stays."""

from collections.abc import Callable
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError, connection

from polyhedral_site import migration_state, occupied
from polyhedral_site.saying import look_for_the_database

from . import key
from .database import database
from .folder import NAMES, BackupError, Manifest, read


def restore(folder: Path, *, replace: bool, say: Callable[[str], None]) -> None:
    """Restore the backup in place of this site's data. Raises BackupError, or ImproperlyConfigured while the site
    runs."""
    say("Reading the backup ...")
    manifest = read(folder)
    refuse_unfit(manifest)
    key.refuse_another(folder)
    with occupied.alone(settings.DATA_DIR) as file:
        look_for_the_database()
        target = database(say)
        # This repeats an interrupted restore, which was already told to replace the data.
        unfinished = occupied.read(file)
        refuse_present(replace=replace or bool(unfinished))
        target.refuse_in_use()
        say("Restoring the database ...")
        occupied.write(file, str(folder))
        try:
            target.put_back(folder)
        except BackupError:
            occupied.write(file, unfinished)  # the first run may have left a mix of old and new data
            raise
        key.put_back(folder)
        occupied.write(file, "")
    say(f"Restored the backup of {manifest.made_at}. The site can be started.")


def refuse_unfit(manifest: Manifest) -> None:
    if manifest.database != connection.vendor:
        of, here = NAMES[manifest.database], NAMES[connection.vendor]
        raise BackupError(f"The backup is of a site on {of}, and this one is on {here} (DATABASE_URL).")
    migration_state.refuse_unknown(manifest.migrations, "The backup")


def refuse_present(*, replace: bool) -> None:
    """Refuse if there is data that nobody has asked to replace, or a database with migrations that this version
    lacks."""
    try:
        there = connection.introspection.table_names()
        migration_state.refuse_unknown(migration_state.applied() if there else [], "The data here")
    except DatabaseError as error:
        raise BackupError(f"The database here cannot be read ({error}). Move it away, then restore.") from None
    finally:
        connection.close()
    if there and not replace:
        raise BackupError(
            "There is already a site here. To delete it and restore the backup in its place, add --replace."
        )
