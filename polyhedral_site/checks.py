from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import Error, Tags, register
from django.db import connections

# PRAGMA name -> the value that SQLite must report: WAL, FULL (2), enforced foreign keys.
PRAGMAS = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}


@register(Tags.database)
def sqlite_options_hold(
    app_configs: Sequence[AppConfig] | None, databases: Sequence[str] | None = None, **kwargs: Any
) -> list[Error]:
    """Read the PRAGMAs back from a live connection: SQLite silently ignores one in the wrong place."""
    errors = []
    for alias in databases or []:
        connection = connections[alias]
        if connection.vendor != "sqlite":
            continue
        with connection.cursor() as cursor:
            for name, wanted in PRAGMAS.items():
                found = cursor.execute(f"PRAGMA {name}").fetchone()[0]
                if found != wanted:
                    errors.append(
                        Error(f"PRAGMA {name} of database {alias!r} is {found!r}, not {wanted!r}.", id="site.E001")
                    )
        if connection.transaction_mode != "IMMEDIATE":
            errors.append(Error(f"Transactions of database {alias!r} are not IMMEDIATE.", id="site.E002"))
    return errors


@register(Tags.security, deploy=True)
def production_is_on(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[Error]:
    if settings.PRODUCTION:
        return []
    return [Error("PRODUCTION is not 1, so HTTPS and the secret key are not enforced.", id="site.E003")]
