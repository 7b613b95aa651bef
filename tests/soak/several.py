"""The real server without its lock on the data folder, so that several of them can write to one SQLite file."""

from django.conf import settings

from polyhedral_site.__main__ import serve

if __name__ == "__main__":
    serve(settings)
