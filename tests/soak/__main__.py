"""Races and kills at their full length on a throw-away SQLite and PostgreSQL, with the counts printed: `make soak`."""

import argparse
import os
import subprocess
import sys
import tempfile


def main():
    parser = argparse.ArgumentParser("python -m tests.soak", description=__doc__)
    only = "only on the database of DATABASE_URL or DATA_DIR, which must be throw-away"
    parser.add_argument("where", nargs="?", choices=["here"], help=only)
    if parser.parse_args().where:
        sys.exit(soak())
    failed = 0
    for launcher in ([], ["-m", "tests.support.postgres", "--", sys.executable]):
        with tempfile.TemporaryDirectory(prefix="polyhedral-soak-") as folder:
            kept = {name: value for name, value in os.environ.items() if name != "DATABASE_URL" or launcher}
            environment = {**kept, "DATA_DIR": folder, "DJANGO_SETTINGS_MODULE": "tests.soak.settings"}
            command = [sys.executable, *launcher, "-m", "tests.soak", "here"]
            failed += subprocess.run(command, env=environment).returncode != 0
    sys.exit(failed)


def soak() -> int:
    """Prepare the database and run races and kills; returns how many of the two failed."""
    for command in (("migrate", "-v0"), ("load_rules", "polyhedral-core")):
        subprocess.run([sys.executable, "manage.py", *command], check=True, stdout=subprocess.DEVNULL)
    modules = ("tests.soak.writers", "tests.soak.kills")
    return sum(subprocess.run([sys.executable, "-m", module]).returncode != 0 for module in modules)


if __name__ == "__main__":
    main()
