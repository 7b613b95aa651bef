import json
import sys
from typing import Any, BinaryIO

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError

from characters.read.character_file import NoRules, read_file
from characters.read.plain_text import readable
from rules.engine import derive
from rules.games.strict_json import LARGEST_FILE


class Command(BaseCommand):
    help = (
        "Reads character files against the rules in the database and prints their sheets, in order. Writes nothing. "
        "A file that cannot be read prints each of its problems to standard error, as FILE: PATH: sentence, "
        "and the exit status is 2."
    )

    requires_system_checks: list[str] = []  # it serves no pages

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--json", action="store_true", help="one compact JSON document a line; null when unreadable"
        )
        parser.add_argument("files", nargs="+", metavar="FILE", help="a character file; - reads standard input")

    def handle(self, *, files: list[str], json: bool, **options: Any) -> None:
        failed = False
        for name in files:
            answer, problems = sheet_of_file(name, as_json=json)
            for where, text in problems:
                self.stderr.write(in_one_line(f"{name}: {where}: {text}"), style_func=str)
            failed = failed or bool(problems)
            if json or not problems:
                self.stdout.write(writable(answer, self.stdout.encoding))
        if failed:
            sys.exit(2)


def in_one_line(text: str) -> str:
    """The text with escapes for all that cannot be printed: a key in the file may contain line breaks."""
    return "".join(one if one.isprintable() else repr(one)[1:-1] for one in text)


def writable(text: str, encoding: str | None) -> str:
    """The text with escapes for what the terminal cannot write, such as the minus signs of any sheet."""
    encoding = encoding or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)


def sheet_of_file(name: str, *, as_json: bool) -> tuple[str, list[tuple[str, str]]]:
    """The sheet of one file as text, and its problems as pairs of path and sentence (`$` is the whole file)."""
    unreadable = "null" if as_json else ""
    try:
        data = first_bytes(sys.stdin.buffer) if name == "-" else open_bytes(name)
    except OSError as error:
        return unreadable, [("$", f"The file cannot be read: {error.strerror}.")]
    try:
        reading = read_file(data)
    except NoRules as none:
        raise CommandError(str(none)) from none
    except DatabaseError as unread:  # such as a database without tables
        raise CommandError(f"No rules can be read: {unread}. Prepare the database with: manage.py prepare") from unread
    if reading.build is None:
        return unreadable, [(problem.where or "$", problem.text) for problem in reading.problems]
    sheet = derive(reading.bundle, reading.build)
    if not as_json:
        return readable(reading.bundle, reading.build, sheet), []
    answer = reading.bundle.game.answer(sheet, reading.bundle)
    # Escaped, a name cannot end the line (U+2028 does for many readers), and every terminal can print it.
    return json.dumps(answer, ensure_ascii=True, separators=(",", ":")), []


def open_bytes(name: str) -> bytes:
    with open(name, "rb") as file:
        return first_bytes(file)


def first_bytes(file: BinaryIO) -> bytes:
    """All of the file, or as much as shows that it is too large: a film or /dev/zero would fill the memory."""
    return file.read(LARGEST_FILE + 1)
