"""The objections of `mypy`, as `make check` runs it, to a mutant that the tests let live."""

import subprocess
import sys
import tempfile
from difflib import SequenceMatcher
from functools import cache
from pathlib import Path

from .mutants import undecorated


def refusal(mutant):
    """Why the types of the project do not allow the change, in the words of mypy; "" where they do."""
    return "" if _errors() else _errors(mutant.path, decorated(mutant))


def decorated(mutant):
    """The source of the mutant with the decorators of its functions, without which nearly every type is wrong."""
    before, after = undecorated(mutant.path).split("\n"), mutant.source.split("\n")
    whole = mutant.path.read_text().split("\n")
    lines = []
    for tag, start, end, first, last in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        lines += whole[start:end] if tag == "equal" else after[first:last]
    return "\n".join(lines)


@cache
def _errors(path=None, source=""):
    folder = Path(_folder().name)
    changed = []
    if path:
        (folder / "mutant.py").write_text(source)
        changed = ["--shadow-file", str(path), str(folder / "mutant.py")]
    asked = [sys.executable, "-m", "mypy", "--no-error-summary", "--cache-dir", str(folder), *changed]
    done = subprocess.run(asked, capture_output=True, check=False, text=True)
    return done.stdout.strip() if done.returncode == 1 else ""


@cache
def _folder():
    return tempfile.TemporaryDirectory(prefix="polyhedral-types-")
