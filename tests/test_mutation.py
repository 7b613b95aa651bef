"""The tool behind `make mutants` finds mutants, draws the same ones again, and runs them in place of the code."""

import shutil
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.mutation import alone, mutants, type_check
from tests.mutation.reach import Reach
from tests.mutation.verdicts import told

ROOT = Path(__file__).parents[1]

SOURCE = """
from functools import cached_property

class Purse:
    coins = 3

    @cached_property
    def heavy(self):
        return self.coins > 3

def twice(number):
    return number * 2
"""


@pytest.fixture
def purse(tmp_path, monkeypatch):
    """A module in the folder where the tool looks for code."""
    (tmp_path / "purse_to_change.py").write_text(SOURCE)
    (tmp_path / "pyproject.toml").write_text('[tool.mutmut]\nsource_paths = ["."]')
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    yield Path("purse_to_change.py")
    sys.modules.pop("purse_to_change", None)


def test_the_body_of_a_function_is_changed_and_a_decorator_is_not(purse):
    found = {(mutant.function, mutant.difference()[1]) for mutant in mutants.mutants_of(purse)}
    assert {("twice", "+    return number / 2"), ("Purse.heavy", "+        return self.coins >= 3")} <= found
    assert {function for function, _ in found} == {"twice", "Purse.heavy"}


def test_a_mutant_runs_in_place_of_the_function(purse):
    import purse_to_change

    def install(change):
        next(one for one in mutants.mutants_of(purse) if change in one.difference()[1]).install()

    assert (purse_to_change.twice(8), purse_to_change.Purse().heavy) == (16, False)
    install("number / 2")
    install(">= 3")
    assert (purse_to_change.twice(8), purse_to_change.Purse().heavy) == (4, True)


def test_a_seed_draws_the_same_mutants_again(purse):
    def drawn(seed, count=4, skip=0):
        sample, of = mutants.draw([purse], count, seed, skip)
        return [mutant.difference() for mutant in sample], of

    assert drawn(1) == drawn(1)
    assert drawn(1) != drawn(2)
    assert drawn(1, 2)[0] + drawn(1, 2, skip=2)[0] == drawn(1)[0]
    shutil.copy(purse, "another.py")
    assert mutants.draw(["."], 4, 1)[1] == 2 * drawn(1)[1]


SAME = """
from typing import cast

def read(path):
    return cast("str", path.read_text(encoding="utf-8"))
"""


def test_a_mutant_that_compiles_to_the_same_code_is_not_drawn(purse):
    purse.write_text(SAME)
    equal = {one.difference()[1].strip("+ ") for one in mutants.mutants_of(purse) if one.equal}
    assert 'return cast("str", path.read_text(encoding="UTF-8"))' in equal
    assert 'return cast("XXstrXX", path.read_text(encoding="utf-8"))' in equal
    drawn = [one.difference()[1].strip("+ ") for one in mutants.draw([purse], 99, 1)[0]]
    assert equal.isdisjoint(drawn)
    assert 'return cast("str", None)' in drawn


PATIENCE = 600  # seconds: a process beside other tests is late, and late counts as failed
READ_ONCE = """
import purse_to_change

PRICE = purse_to_change.twice(4)

def test_a_price():
    assert PRICE == 8
"""


@pytest.mark.slow
def test_a_value_computed_at_import_is_changed_in_a_process_of_its_own(purse, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", f"{ROOT}:.")
    Path("test_purse.py").write_text(READ_ONCE)
    halved = purse.read_text().replace("* 2", "/ 2")
    assert alone.kills(purse, halved, ["test_purse.py"], PATIENCE)
    assert alone.kills(purse, "no Python", ["test_purse.py"], PATIENCE)
    assert not alone.kills(purse, purse.read_text() + "\n# the same", ["test_purse.py"], PATIENCE)
    Path("test_purse.py").write_text(READ_ONCE.replace("8", "9"))
    assert not alone.kills(purse, halved, ["test_purse.py"], PATIENCE), "it fails anyway"


def test_a_test_that_reaches_changed_code_is_measured_again(tmp_path):
    code, test = tmp_path / "code.py", f"{tmp_path}/test_code.py::test_it"
    code.write_text("a = 1")
    reach = Reach([tmp_path])
    reach.seconds, reach.lines = {test: 1, "another": 1}, {test: {(str(code), 1)}, "another": set()}
    reach.note_files()
    reach.forget_what_has_changed()
    assert set(reach.seconds) == {test, "another"}
    code.write_text("a = 2")
    reach.forget_what_has_changed()
    assert set(reach.seconds) == set(reach.lines) == {"another"}


TYPED = """
def doubled(numbers: list[int]) -> list[int]:
    return [number * 2 for number in numbers]

class Purse:
    @property
    def coins(self) -> int:
        return 3

def rich(purse: Purse) -> int:
    return purse.coins + 1

def largest(numbers: list[int]) -> int:
    return max(doubled(numbers))
"""


@pytest.mark.slow
def test_a_mutant_that_mypy_refuses_is_found_with_its_message(tmp_path, monkeypatch):
    (tmp_path / "typed.py").write_text(TYPED)
    (tmp_path / "pyproject.toml").write_text(
        '[tool.mutmut]\nsource_paths = ["."]\n[tool.mypy]\nstrict = true\nfiles = ["typed.py"]'
    )
    monkeypatch.chdir(tmp_path)
    said = {one.difference()[1].strip("+ "): type_check.refusal(one) for one in mutants.mutants_of(Path("typed.py"))}
    assert 'incompatible type "None"' in said["return max(doubled(None))"]
    assert said["return [number * 3 for number in numbers]"] == ""
    assert said["return purse.coins - 1"] == ""


def test_the_score_lists_the_kills_of_tests_and_types_separately():
    score = told(Counter({"killed": 8, "alive": 1, "refused by mypy": 1, "killed in a process of its own": 10}))
    assert score.splitlines()[1:] == [
        "dead 19 of 20, 95.0% (of all mutants 76% to 99%)",
        "by tests 18 of 20, 90.0% (of all mutants 70% to 97%)",
        "by tests in forks 8 of 20, 40.0% (of all mutants 22% to 61%)",
    ]
