"""The errors that `mypy`, run as in `make check`, finds in a mutant that survives the tests."""

import subprocess
import sys
import tempfile
from difflib import SequenceMatcher
from functools import cache
from pathlib import Path

from .mutants import undecorated


def refusal(mutant):
    """The errors of mypy with the change; "" if there are none, or if there are errors without it."""
    return "" if _errors() else _errors(mutant.path, decorated(mutant))


def decorated(mutant):
    """The source of the mutant with its decorators put back: without them nearly every type is wrong."""
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
