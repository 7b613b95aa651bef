"""A test that runs once cannot reach the database or ask which one there is; a run reports its failures, and starts
only as it is asked."""

import os
import subprocess
import sys

import pytest
from django.conf import settings
from django.contrib.auth import get_user_model

from bench import __main__ as bench
from tests import admin_tour
from tests.mutation import __main__ as mutation
from tests.screenshots import __main__ as screenshots
from tests.soak import __main__ as soak
from tests.support import run_all
from tests.support.run_all import Run


def test_a_test_without_a_database_runs_once(request):
    assert request.node.get_closest_marker("once")


def test_a_test_that_runs_once_cannot_ask_which_database_there_is():
    with pytest.raises(AssertionError, match="mark it each_database"):
        settings.DATABASES["default"]


def test_a_test_that_runs_once_cannot_reach_the_database():
    with pytest.raises(RuntimeError, match="Database access not allowed"):
        get_user_model().objects.exists()


@pytest.mark.each_database
def test_a_test_marked_each_database_does_not_run_once(request):
    assert not request.node.get_closest_marker("once")
    assert settings.DATABASES["default"]["ENGINE"]


def test_a_test_that_uses_the_database_does_not_run_once(request, db):
    assert not request.node.get_closest_marker("once")


FAILING = """
import sys
print("E   assert 1 == 2")
print("FAILED tests/test_site.py::test_home - assert 1 == 2")
print("======= 1 failed, 7 passed in 0.50s =======")
sys.exit(1)
"""


def test_a_failed_run_keeps_its_faults_for_the_end(capfd):
    run = Run("a run", [sys.executable, "-c", FAILING], dict(os.environ))
    run.go("| ")
    assert not run.passed
    assert run.faults == ["E   assert 1 == 2", "FAILED tests/test_site.py::test_home - assert 1 == 2"]
    assert run.closing.startswith("1 failed, 7 passed in 0.50s")
    assert "| E   assert 1 == 2" in capfd.readouterr().out


def test_a_run_with_an_error_has_failed_even_if_its_tests_passed():
    run = Run("a run", [sys.executable, "-c", "print('== 7 passed, 1 error in 0.50s ==')"], dict(os.environ))
    run.go("")
    assert not run.passed


@pytest.mark.parametrize(
    "command", [bench, admin_tour, mutation, screenshots, soak, run_all], ids=lambda one: one.__name__
)
@pytest.mark.parametrize(("argument", "code"), [("--help", 0), ("--nothing", 2)])
def test_a_command_that_is_asked_for_help_or_wrongly_starts_nothing(
    monkeypatch, tmp_path, capsys, command, argument, code
):
    monkeypatch.setattr(sys, "argv", ["command", argument])
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(subprocess, "Popen", lambda *args, **kwargs: pytest.fail("It has started."))
    with pytest.raises(SystemExit) as ended:
        command.main()
    assert ended.value.code == code
    assert "usage: " in "".join(capsys.readouterr())
