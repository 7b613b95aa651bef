"""A command of the site that stops at a named function, says so, and waits to be killed.

python -m tests.support.paused MODULE:FUNCTION COMMAND ...
"""

import os
import signal
import sys
from importlib import import_module
from operator import attrgetter


def main():
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "polyhedral_site.settings")
    django.setup()
    from django.core.management import execute_from_command_line

    from polyhedral_site.backup import postgresql, sqlite

    sqlite.PAGES, postgresql.CHUNK = 50, 10_000  # in small steps, so that it can stop half way
    module, _, function = sys.argv[1].partition(":")
    *owner, name = function.split(".")
    found = import_module(module)
    setattr(attrgetter(".".join(owner))(found) if owner else found, name, pause)
    execute_from_command_line(["manage.py", *sys.argv[2:]])


def pause(*_, **__):
    print("paused", flush=True)
    signal.pause()


if __name__ == "__main__":
    main()
