"""As a control, the server of `several` without the lock on a character, too: transactions read before they lock."""

import django
from django.conf import settings

from polyhedral_site.__main__ import serve


def main():
    django.setup()
    from django.db import connection

    from characters import access

    access.locked = access.CharacterLookup(access.lockable_by)
    if connection.vendor == "sqlite":
        connection.settings_dict["OPTIONS"]["transaction_mode"] = "DEFERRED"
    serve(settings)


if __name__ == "__main__":
    main()
