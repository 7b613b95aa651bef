"""Make the tables from the models, without migrations, in the database that the environment names.

python -m tests.support.unmigrated
"""

import os

import django


class NoMigrations:
    """A value for MIGRATION_MODULES by which no app has any migrations."""

    def __contains__(self, app):
        return True

    def __getitem__(self, app):
        return None


def main():
    os.environ["DJANGO_SETTINGS_MODULE"] = "polyhedral_site.settings"
    django.setup()
    from django.conf import settings
    from django.core.management import call_command

    settings.MIGRATION_MODULES = NoMigrations()
    call_command("migrate", run_syncdb=True, verbosity=0)


if __name__ == "__main__":
    main()
