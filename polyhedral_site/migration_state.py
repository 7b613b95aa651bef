"""The migrations applied to a database, compared with those that this program has."""

from functools import cache

from django.core.exceptions import ImproperlyConfigured
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder


def applied() -> list[str]:
    return sorted(f"{app}.{name}" for app, name in MigrationRecorder(connection).applied_migrations())


@cache
def known() -> set[str]:
    return {f"{app}.{name}" for app, name in MigrationLoader(None).disk_migrations}


def refuse_unknown(migrations: list[str], what: str) -> None:
    """Raise ImproperlyConfigured if this program lacks a migration that was applied to `what`."""
    if unknown := sorted(set(migrations) - known()):
        raise ImproperlyConfigured(
            f"{what} comes from another version of this program: this one lacks its migration {unknown[0]}. Use a "
            "version that has it."
        )
