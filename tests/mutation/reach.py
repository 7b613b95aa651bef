"""The lines that each test reaches, and the time it takes."""

import os
import sys
import time

TOOL = sys.monitoring.COVERAGE_ID


class Reach:
    def __init__(self, folders):
        self.folders = folders
        self.lines = {}
        self.seconds = {}
        self.failing = []

    def of(self, item, run):
        """Run a test by `run`, note what it reaches, and answer what `run` answers."""
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

    def tests(self, mutant):
        """The tests that reach the lines of a mutant: a hundred quick ones, those that reach the most, the rest."""
        wanted = {(str(mutant.path), number) for number in mutant.lines}
        found = sorted((test for test, lines in self.lines.items() if wanted & lines), key=self.seconds.get)
        quickest, rest = found[:100], found[100:]
        widest = sorted(rest, key=lambda test: -len(self.lines[test]))[:20]
        return [*quickest, *widest, *(test for test in rest if test not in widest)]
