"""No test file imports another: shared code is in a cast, a conftest or tests/support."""

import ast

import pytest

from tests.support.site import ROOT

FILES = sorted((ROOT / "tests").rglob("test_*.py"))


def imported_tests(text):
    """The files of tests that this one imports, by their names."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names = [one.name for one in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or "", *(one.name for one in node.names)]
        else:
            continue
        yield from (name for name in names if name.rpartition(".")[2].startswith("test_"))


def test_no_file_of_tests_imports_another():
    assert len(FILES) > 300
    found = {path.relative_to(ROOT).as_posix(): list(imported_tests(path.read_text("utf-8"))) for path in FILES}
    assert {path: names for path, names in found.items() if names} == {}


@pytest.mark.parametrize(
    "planted",
    ["from tests.rules.test_as_at import by_chance", "from .test_as_at import x", "from . import test_as_at",
     "import tests.rules.test_as_at", "def now():\n    from tests.rules import test_as_at"],
)  # fmt: skip
def test_a_planted_import_of_tests_is_found(planted):
    assert len(list(imported_tests(planted))) == 1
