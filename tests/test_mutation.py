"""The tool behind `make mutants` finds mutants, draws the same ones again, and puts them in place of the code."""

import shutil
import sys
from pathlib import Path

import pytest

from tests.mutation import mutants

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
