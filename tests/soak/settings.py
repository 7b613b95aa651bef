"""The settings of the tests, but SQLite waits for the disk, as it does where a site is served."""

from tests.settings import *  # noqa: F403
from tests.settings import DATABASES

if "init_command" in (options := DATABASES["default"].get("OPTIONS", {})):
    options["init_command"] = options["init_command"].replace("synchronous=OFF", "synchronous=FULL")
