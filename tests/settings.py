"""The settings of a local site, with a temporary database, quick password hashes and plain static files."""

import os
from tempfile import TemporaryDirectory

os.environ.setdefault("SECRET_KEY", "only-for-tests")
if "DATA_DIR" not in os.environ:
    folder = TemporaryDirectory(prefix="polyhedral-tests-", ignore_cleanup_errors=True)  # gone when this process ends
    os.environ["DATA_DIR"] = folder.name
os.environ["PRODUCTION"] = os.environ["DEBUG"] = "0"

from polyhedral_site.settings import *  # noqa: F403
from polyhedral_site.settings import DATA_DIR, DATABASES, STORAGES, TEMPLATES
from rules.games import GAMES
from tests.games import pebbles

# A further game, which only the tests have (tests/games/pebbles).
GAMES[pebbles.GAME.name] = pebbles.GAME
for engine in TEMPLATES:
    engine["DIRS"] = [*engine["DIRS"], pebbles.TEMPLATES]

SITE_URL = "http://testserver"
ALLOWED_HOSTS = ["testserver", "localhost", "127.0.0.1"]

# A file and not memory, so that threads and the live server meet real locks. Nothing here outlives the tests, so
# nothing waits for the disk.
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    DATABASES["default"]["TEST"] = {"NAME": str(DATA_DIR / "test.sqlite3")}
    OPTIONS = DATABASES["default"]["OPTIONS"]
    OPTIONS["init_command"] = OPTIONS["init_command"].replace("synchronous=FULL", "synchronous=OFF")

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = {
    **STORAGES,
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
WHITENOISE_USE_FINDERS = WHITENOISE_AUTOREFRESH = True
STYLE_PAGE = True
MAILERS = {"default": {"BACKEND": "django.core.mail.backends.locmem.EmailBackend"}}
