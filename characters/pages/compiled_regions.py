"""The compiled templates of a sheet's regions, kept in the site's data folder, from which a process reads them as
Python reads its compiled modules.

`manage.py prepare` compiles all of them anew, since a new release may compile the same template differently.
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
    """The compiled regions in the data folder. No page depends on them: a region that cannot be read is compiled again,
    and one that cannot be written is not kept."""

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
    """The names by which games ask for these templates: each game asks for a shared one under its own name."""
    for name in found:
        folder, _, of_all = name.partition("/")
        yield from [f"{FOLDER}/{game}/{of_all}" for game in GAMES] if folder == SHARED else [name]
