"""A pytest session in which the tests try mutants: set up once, forked for every try."""

import os
import pickle
import resource
import shutil
import signal
import sys
import time
from collections import Counter
from math import sqrt
from pathlib import Path

from _pytest.runner import runtestprotocol

from .alone import kills
from .mutants import NotFound
from .reach import Reach
from .type_check import decorated, refusal

PASSED, FAILED, NOT_FOUND = 0, 1, 2
KILLED, ALONE, REFUSED, ALIVE = "killed", "killed in a process of its own", "refused by mypy", "alive"


class Trial:
    def __init__(self, mutants, at_most, kept):
        self.mutants, self.at_most, self.kept = mutants, at_most, kept and Path(kept)

    def pytest_runtestloop(self, session):
        if session.testsfailed:
            return False
        self.items = {item.nodeid: item for item in session.items}
        self.session = session
        self._set_up()
        reach = self._reach()
        verdicts = Counter()
        for number, mutant in enumerate(self.mutants, 1):
            began = time.monotonic()
            verdict, why = self._try(mutant, reach)
            if verdict != KILLED:
                verdict, why = self._try_alone(mutant, reach) or (verdict, why)
            verdicts[verdict] += 1
            print(f"{number} {verdict} {mutant.path}:{mutant.lines.start} {mutant.function}, {why}, "
                  f"{time.monotonic() - began:.0f} s")  # fmt: skip
            if verdict == ALIVE:
                print("\n".join(f"    {line}" for line in mutant.difference()))
            sys.stdout.flush()
        print(told(verdicts))
        return True

    def _set_up(self):
        """Make the database by running the first test that asks for one, and keep a copy of the new database."""
        from django.db import connections

        self.first = next(item for item in self.session.items if item.get_closest_marker("django_db"))
        _run(self.first, self.session)
        connections.close_all()
        self.database = Path(connections["default"].settings_dict["NAME"])
        self.pristine = self.database.with_suffix(".pristine")
        shutil.copyfile(self.database, self.pristine)

    def _reach(self):
        """The lines that each test reaches; found in a fork, so that no mutant inherits what the tests leave behind."""
        kept = self.kept or self.database.with_suffix(".reach")
        reach = pickle.loads(kept.read_bytes()) if kept.exists() else Reach(["rules", "characters"])
        reach.forget_what_has_changed()

        def run():
            for item in self.items.values():
                if item.nodeid in reach.seconds:  # known from an earlier run
                    continue
                if not reach.of(item, lambda item=item: _run(item, self.session)):
                    reach.failing.append(item.nodeid)
                    del reach.lines[item.nodeid]
            reach.note_files()
            kept.write_bytes(pickle.dumps(reach))
            return PASSED

        assert self._forked(run, 3600 * 3) == PASSED
        reach = pickle.loads(kept.read_bytes())
        print(f"{len(reach.lines)} tests; fail without a mutant: {reach.failing}", flush=True)
        return reach

    def _try(self, mutant, reach):
        """The verdict on a mutant, and its reason. A test that also fails without the mutant has not killed it."""
        every = [test for test in reach.tests(mutant) if test in self.items]
        tests = every[: self.at_most]
        seconds = 60 + 10 * sum(map(reach.seconds.get, tests))
        name = self.database.with_suffix(".failed")
        while tests:
            name.unlink(missing_ok=True)
            answer = self._forked(lambda tests=tests: self._run_all(tests, mutant, name), seconds)
            if answer == PASSED:
                return ALIVE, f"{len(tests)} of the {len(every)} tests that reach it"
            if answer == NOT_FOUND:
                return ALIVE, "its function is not found"
            if answer != FAILED:
                return KILLED, f"stopped by {signal.Signals(-answer).name}"
            failed = name.read_text()
            if self._forked(lambda failed=failed: self._run_all([failed], None, name), seconds) == PASSED:
                return KILLED, f"by {failed}"
            tests.remove(failed)
        return ALIVE, "no test reaches it"

    def _try_alone(self, mutant, reach):
        """The verdict on a survivor of the forks: of a process of its own, else of mypy; None if it survives both."""
        source = decorated(mutant)
        near = reach.tests(mutant)[:60] + reach.tests_of_file(mutant.path)[:60]
        tests = [test for test in dict.fromkeys(near) if test in self.items] or [self.first.nodeid]
        if kills(mutant.path, source, tests, 120 + 10 * sum(map(reach.seconds.get, tests))):
            return ALONE, f"by one of {len(tests)} tests"
        if why := refusal(mutant):
            return REFUSED, why.splitlines()[0]
        return None

    def _run_all(self, tests, mutant, name):
        if mutant:
            try:
                mutant.install()
            except NotFound:
                return NOT_FOUND
        for test in tests:
            if not _run(self.items[test], self.session):
                name.write_text(test)
                return FAILED
        return PASSED

    def _forked(self, work, seconds):
        """The result of `work` in a fork with a new copy of the database, or minus the signal that stopped it."""
        child = os.fork()
        if not child:
            resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds)))
            resource.setrlimit(resource.RLIMIT_DATA, (4 << 30, 4 << 30))
            signal.alarm(int(seconds) * 5)  # a test that waits forever uses no processor time
            silence = os.open(os.devnull, os.O_WRONLY)
            os.dup2(silence, 1)
            os.dup2(silence, 2)
            for suffix in ("-wal", "-shm", "-journal"):
                Path(f"{self.database}{suffix}").unlink(missing_ok=True)
            shutil.copyfile(self.pristine, self.database)
            os._exit(work())
        _, status = os.waitpid(child, 0)
        return os.waitstatus_to_exitcode(status)


def _run(item, session):
    """True if a test passes; fixtures of the whole session stay for the next one."""
    return not any(report.failed for report in runtestprotocol(item, log=False, nextitem=session))


def told(verdicts):
    """The score: the shares of the drawn mutants that are dead, killed by tests, and killed by tests in forks, each
    with its interval for a sample of this size (Wilson, 95%)."""
    drawn = verdicts.total()
    forks, tests = verdicts[KILLED], verdicts[KILLED] + verdicts[ALONE]
    parts = [f"dead {share(tests + verdicts[REFUSED], drawn)}"]
    parts += [f"by tests {share(tests, drawn)}", f"by tests in forks {share(forks, drawn)}"]
    return f"{dict(verdicts)}\n" + "\n".join(parts)


def share(killed, tried):
    part, z = killed / tried, 1.96
    middle, width = part + z * z / 2 / tried, z * sqrt(part * (1 - part) / tried + z * z / 4 / tried**2)
    low, high = ((middle + sign * width) / (1 + z * z / tried) for sign in (-1, 1))
    return f"{killed} of {tried}, {part:.1%} (of all mutants {low:.0%} to {high:.0%})"
