"""Keeps the rules in the test database through tests that empty every table."""

from django.apps import apps
from django.db import connection, transaction


class Snapshot:
    """The rows of some apps' tables as they are now, to be put back after a flush.

    They are kept in the database itself, in tables without a model, so that putting them back sends no rows.
    """

    def __init__(self, *labels):
        self.tables = {  # a set, since a proxy shares its model's table
            model._meta.db_table
            for label in labels
            for model in apps.get_app_config(label).get_models(include_auto_created=True)
        }
        with connection.cursor() as cursor:
            for table in self.tables:
                cursor.execute(f"CREATE TABLE {copy_of(table)} AS SELECT * FROM {quoted(table)}")

    def delete(self):
        """Delete the rows of these tables, within the transaction of a test."""
        with connection.cursor() as cursor:
            for table in self.tables:
                cursor.execute(f"DELETE FROM {quoted(table)}")

    def restore(self):
        # Foreign keys are checked at the end of the transaction, so the order of the tables does not matter.
        with transaction.atomic(), connection.cursor() as cursor:
            for table in self.tables:
                cursor.execute(f"INSERT INTO {quoted(table)} SELECT * FROM {copy_of(table)}")


def quoted(table):
    return connection.ops.quote_name(table)


def copy_of(table):
    return quoted(f"kept_{table}")
