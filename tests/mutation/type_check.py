"""What `mypy`, as `make check` runs it, says against a mutant that the tests let live."""

import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path


def refusal(mutant):
    """Why the types of the project do not allow the change, in the words of mypy; "" where they do."""
    return "" if _errors() else _errors(mutant.path, mutant.source)


@cache
def _errors(path=None, source=""):
    folder = _folder()
    changed = []
    if path:
        (folder / "mutant.py").write_text(source)
        changed = ["--shadow-file", str(path), str(folder / "mutant.py")]
    asked = [sys.executable, "-m", "mypy", "--no-error-summary", "--cache-dir", str(folder), *changed]
    done = subprocess.run(asked, capture_output=True, check=False, text=True)
    return done.stdout.strip() if done.returncode == 1 else ""


@cache
def _folder():
    return Path(tempfile.mkdtemp(prefix="polyhedral-types-"))
