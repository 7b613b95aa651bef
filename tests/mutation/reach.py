"""The lines that each test reaches, and the time it takes."""

import hashlib
import os
import sys
import time
from pathlib import Path

TOOL = sys.monitoring.COVERAGE_ID


class Reach:
    def __init__(self, folders):
        self.folders = folders
        self.lines = {}
        self.seconds = {}
        self.failing = []
        self.files = {}  # the hash of each file at the time of the run

    def of(self, item, run):
        """Run a test by `run`, note the lines it reaches, and return what `run` returns."""
        reached = self.lines[item.nodeid] = set()
        folders = tuple(os.path.abspath(folder) + os.sep for folder in self.folders)

        def line(code, number):
            if code.co_filename.startswith(folders):
                reached.add((os.path.relpath(code.co_filename), number))
            return sys.monitoring.DISABLE  # once in a test is enough

        sys.monitoring.use_tool_id(TOOL, "reach")
        sys.monitoring.register_callback(TOOL, sys.monitoring.events.LINE, line)
        sys.monitoring.restart_events()
        sys.monitoring.set_events(TOOL, sys.monitoring.events.LINE)
        began = time.process_time()
        try:
            return run()
        finally:
            self.seconds[item.nodeid] = time.process_time() - began
            sys.monitoring.set_events(TOOL, 0)
            sys.monitoring.free_tool_id(TOOL)

    def note_files(self):
        self.files = {file: _hash(file) for test in self.seconds for file in self._files_of(test)}

    def forget_what_has_changed(self):
        """Drop the tests that are in, or reach, a file that has changed since."""
        changed = {file for file, before in self.files.items() if _hash(file) != before}
        for test in [test for test in self.seconds if not changed.isdisjoint(self._files_of(test))]:
            del self.seconds[test]
            self.lines.pop(test, None)
        self.failing = [test for test in self.failing if test in self.seconds]

    def _files_of(self, test):
        return {test.partition("::")[0], *(file for file, _ in self.lines.get(test, ()))}

    def tests_of_file(self, path):
        """The tests that reach any line of a file, quick ones first."""
        found = (test for test, lines in self.lines.items() if any(file == str(path) for file, _ in lines))
        return sorted(found, key=self.seconds.get)

    def tests(self, mutant):
        """The tests that reach the lines of a mutant: the quickest, those with the most lines, the rest."""
        wanted = {(str(mutant.path), number) for number in mutant.lines}
        found = sorted((test for test, lines in self.lines.items() if wanted & lines), key=self.seconds.get)
        quickest, rest = found[:100], found[100:]
        widest = sorted(rest, key=lambda test: -len(self.lines[test]))[:60]
        return [*quickest, *widest, *(test for test in rest if test not in widest)]


def _hash(file):
    return hashlib.sha256(Path(file).read_bytes()).hexdigest() if Path(file).exists() else ""
