"""Tests in a process of their own, where one module has the source of a mutant from the start.

A fork gets a mutant after everything has been imported, the rules loaded and the first page prepared. A mutant in code
that runs only before that can die only here: python -m tests.mutation.alone MODULE SOURCE TESTS
"""

import os
import subprocess
import sys
import tempfile
from importlib.machinery import SourceFileLoader
from pathlib import Path

import pytest

OPTIONS = ["-q", "-x", "--tb=no", "-p", "no:warnings", "-n", "0"]


def kills(path, source, tests, seconds):
    """True if a test fails or nothing starts with this source of the module, and all tests pass with the real one."""
    return not _passes(path, source, tests, seconds) and _passes(path, path.read_text(), tests, seconds)


def _passes(path, source, tests, seconds):
    with tempfile.TemporaryDirectory(prefix="polyhedral-alone-") as folder:
        (Path(folder) / "mutant.py").write_text(source)
        asked = [sys.executable, "-m", __name__, str(path), f"{folder}/mutant.py", *tests]
        around = {name: value for name, value in os.environ.items() if name != "DATA_DIR"}  # a database of its own
        try:
            done = subprocess.run(asked, capture_output=True, check=False, timeout=seconds, env=around)
        except subprocess.TimeoutExpired:
            return False
    return done.returncode == 0


def put_in_place(path, source):
    """From now on the module of this file is imported with this source."""
    as_it_is = SourceFileLoader.get_code

    def get_code(self, name):
        if os.path.realpath(self.path) == os.path.realpath(path):
            return compile(source, self.path, "exec", dont_inherit=True)
        return as_it_is(self, name)

    SourceFileLoader.get_code = get_code


if __name__ == "__main__":
    put_in_place(sys.argv[1], Path(sys.argv[2]).read_text())
    sys.exit(pytest.main([*OPTIONS, *sys.argv[3:]]))
