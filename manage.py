#!/usr/bin/env python
import logging
import os
import sys

from django.core.management import execute_from_command_line

from polyhedral_site.saying import plainly

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "polyhedral_site.settings")
    # It warns at each try; what is wrong is said once, at the end.
    logging.getLogger("psycopg.pool").setLevel(logging.ERROR)
    with plainly():
        execute_from_command_line(sys.argv)
