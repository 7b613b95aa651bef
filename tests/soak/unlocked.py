"""The real server without the lock on a character, as a control: transactions read before they have a lock."""

import django


def main():
    django.setup()
    from django.db import connection

    from characters import access
    from polyhedral_site.__main__ import main as serve

    access.locked = access.CharacterLookup(access.lockable_by)
    if connection.vendor == "sqlite":
        connection.settings_dict["OPTIONS"]["transaction_mode"] = "DEFERRED"
    serve()


if __name__ == "__main__":
    main()
