"""The tool behind `make mutants` finds mutants, draws the same ones again, and puts them in place of the code."""

import shutil
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.mutation import mutants, type_check
from tests.mutation.verdicts import told

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
    """A module in a folder, where the tool looks for it."""
    (tmp_path / "purse_to_change.py").write_text(SOURCE)
    (tmp_path / "pyproject.toml").write_text('[tool.mutmut]\nsource_paths = ["."]')
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    yield Path("purse_to_change.py")
    sys.modules.pop("purse_to_change", None)


def test_what_lies_in_a_function_is_changed_and_a_decorator_is_not(purse):
    found = {(mutant.function, mutant.difference()[1]) for mutant in mutants.mutants_of(purse)}
    assert {("twice", "+    return number / 2"), ("Purse.heavy", "+        return self.coins >= 3")} <= found
    assert {function for function, _ in found} == {"twice", "Purse.heavy"}


def test_a_mutant_answers_in_place_of_the_function(purse):
    import purse_to_change

    def install(change):
        next(one for one in mutants.mutants_of(purse) if change in one.difference()[1]).install()

    assert (purse_to_change.twice(8), purse_to_change.Purse().heavy) == (16, False)
    install("number / 2")
    install(">= 3")
    assert (purse_to_change.twice(8), purse_to_change.Purse().heavy) == (4, True)


def test_a_seed_draws_the_same_again(purse):
    def drawn(seed):
        sample, of = mutants.draw([purse], 4, seed)
        return [mutant.difference() for mutant in sample], of

    assert drawn(1) == drawn(1)
    assert drawn(1) != drawn(2)
    shutil.copy(purse, "another.py")
    assert mutants.draw(["."], 4, 1)[1] == 2 * drawn(1)[1]


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
def test_what_the_types_refuse_is_known_by_the_words_of_mypy(tmp_path, monkeypatch):
    (tmp_path / "typed.py").write_text(TYPED)
    (tmp_path / "pyproject.toml").write_text(
        '[tool.mutmut]\nsource_paths = ["."]\n[tool.mypy]\nstrict = true\nfiles = ["typed.py"]'
    )
    monkeypatch.chdir(tmp_path)
    said = {one.difference()[1].strip("+ "): type_check.refusal(one) for one in mutants.mutants_of(Path("typed.py"))}
    assert 'incompatible type "None"' in said["return max(doubled(None))"]
    assert said["return [number * 3 for number in numbers]"] == ""
    assert said["return purse.coins - 1"] == ""


def test_the_score_says_apart_what_the_tests_and_the_types_do():
    score = told(Counter({"killed": 8, "alive": 1, "refused by mypy": 1, "not tried": 1}))
    assert "by the tests 8 of 10, 80.0% (of all mutants 49% to 94%)" in score
    assert "with mypy 9 of 10, 90.0% (of all mutants 60% to 98%)" in score
