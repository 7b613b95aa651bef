"""Keeping the rules in the test database through tests that empty every table."""

from django.apps import apps
from django.db import connection, transaction


class Snapshot:
    """The rows of some apps' tables as they are now, to be put back after a flush."""

    def __init__(self, *labels):
        self.tables = {}
        models = [
            model for label in labels for model in apps.get_app_config(label).get_models(include_auto_created=True)
        ]
        with connection.cursor() as cursor:
            for model in models:
                cursor.execute(f"SELECT * FROM {connection.ops.quote_name(model._meta.db_table)}")
                columns = [connection.ops.quote_name(column[0]) for column in cursor.description]
                self.tables[model._meta.db_table] = columns, cursor.fetchall()

    def delete(self):
        """Take the rows of these tables out, within the transaction of a test."""
        with connection.cursor() as cursor:
            for table in self.tables:
                cursor.execute(f"DELETE FROM {connection.ops.quote_name(table)}")

    def restore(self):
        # Foreign keys are checked at the end of the transaction, so the order of the tables does not matter.
        with transaction.atomic(), connection.cursor() as cursor:
            for table, (columns, rows) in self.tables.items():
                if rows:
                    marks = ", ".join(["%s"] * len(columns))
                    names = ", ".join(columns)
                    cursor.executemany(
                        f"INSERT INTO {connection.ops.quote_name(table)} ({names}) VALUES ({marks})", rows
                    )
