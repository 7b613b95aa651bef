"""The database that the site runs on."""

from django.db import connection

from .postgresql import Postgresql
from .sqlite import Sqlite


def database(say) -> Sqlite | Postgresql:
    return (Postgresql if connection.vendor == "postgresql" else Sqlite)(say)
