"""The real site as a separate process, for tests that need a real server, its sockets and its files."""

import contextlib
import ctypes
import http.client
import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

from . import prepared_site

ROOT = prepared_site.ROOT
CAP_DAC_OVERRIDE, PR_CAPBSET_DROP = 1, 24


@contextlib.contextmanager
def kept_port():
    """A free port, kept so that no other program gets it. A server that the test starts may listen there."""
    with socket.socket() as kept:
        kept.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        kept.bind(("127.0.0.1", 0))
        yield kept.getsockname()[1]


def started(data_dir, files=None, **variables):
    """Start the server as a separate process, without the settings of the tests. It may open `files` files.

    Returns the process and its log. The log is a file: a pipe that nobody reads would fill up and block the server.
    """
    environment = {"PATH": os.environ["PATH"], "DATA_DIR": str(data_dir), **variables}
    log = tempfile.TemporaryFile("w+")  # noqa: SIM115 (closed in `serving`)
    process = subprocess.Popen(
        [sys.executable, "-m", "polyhedral_site"],
        cwd=ROOT,
        env=environment,
        text=True,
        stdout=subprocess.PIPE,
        stderr=log,
        preexec_fn=lambda: held(files),
        start_new_session=True,
    )
    return process, log


def held(files):
    """Limit the open files of a process, and stop root from writing read-only files."""
    if files:
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
    if os.geteuid() == 0 and sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, 0, 0, 0)


class Site:
    def __init__(self, process, port, log):
        self.process, self.port, self.log = process, port, log

    def ask(self, method, path, body=None, headers=None, source="127.0.0.1"):
        """Status, headers and body of one request; redirects are not followed."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30, source_address=(source, 0))
        with contextlib.closing(connection):
            connection.request(method, path, body, {"Host": "localhost", **(headers or {})})
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read().decode()

    def stop_and_read_log(self):
        """End the server, and return its log."""
        self.process.send_signal(signal.SIGINT)
        self.process.wait(20)
        self.log.seek(0)
        return self.log.read()


@contextlib.contextmanager
def serving(data_dir, files=None, **variables):
    with kept_port() as port:
        process, log = started(data_dir, files, PORT=str(port), **variables)
        site = Site(process, port, log)
        said = process.stdout.readline()
    try:
        if f":{port}/" not in said:
            raise AssertionError(site.stop_and_read_log())
        yield site
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # with its child processes
        process.wait()
        process.stdout.close()
        log.close()


def copied(folder):
    """The prepared folder, copied here."""
    return Path(shutil.copytree(prepared_site.on_sqlite(), folder, dirs_exist_ok=True))
