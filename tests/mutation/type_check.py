"""Whether `mypy`, as `make check` runs it, refuses a mutant that the tests let live."""

import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path


def refuses(mutant):
    """True if the types of the project do not allow the change: `make check` fails with it, and not without."""
    return _clean() and _fails(mutant.path, mutant.source)


@cache
def _clean():
    return not _fails()


def _fails(path=None, source=""):
    folder = _folder()
    changed = []
    if path:
        (folder / "mutant.py").write_text(source)
        changed = ["--shadow-file", str(path), str(folder / "mutant.py")]
    asked = [sys.executable, "-m", "mypy", "--cache-dir", str(folder), *changed]
    return subprocess.run(asked, capture_output=True, check=False).returncode == 1


@cache
def _folder():
    return Path(tempfile.mkdtemp(prefix="polyhedral-types-"))
