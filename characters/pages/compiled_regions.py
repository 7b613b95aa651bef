"""The regions of a sheet, kept compiled in the site's data folder: a start reads them, as Python reads its modules.

`manage.py prepare` compiles all of them anew, since a new release may make other code of the same template.
"""

import shutil
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from pickle import UnpicklingError

from django.template import engines
from jinja2 import FileSystemBytecodeCache
from jinja2.bccache import Bucket

from rules.games import GAMES

from .game_templates import GAMES as FOLDER
from .game_templates import SHARED


class Compiled(FileSystemBytecodeCache):
    """The compiled regions in the data folder. No page depends on it: a region that cannot be read is compiled, and one
    that cannot be written is not kept."""

    def load_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError, EOFError, UnpicklingError):
            super().load_bytecode(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):
            super().dump_bytecode(bucket)


def compile_anew() -> None:
    """Compile every region and keep the results."""
    kept = engines["regions"].env.bytecode_cache
    if kept is not None:
        shutil.rmtree(kept.directory, ignore_errors=True)
        Path(kept.directory).mkdir(exist_ok=True)
        load_all()


def load_all() -> None:
    env = engines["regions"].env
    for name in of_games(env.list_templates(extensions=["jinja"])):
        env.get_template(name)


def of_games(found: Iterable[str]) -> Iterator[str]:
    """The names that the games ask for these regions by: each game has the shared ones under its own name."""
    for name in found:
        folder, _, of_all = name.partition("/")
        yield from [f"{FOLDER}/{game}/{of_all}" for game in GAMES] if folder == SHARED else [name]
