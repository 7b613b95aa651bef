"""Every wrong setting gives one sentence and exit code 1, before any address is printed. The real commands run."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
COMMANDS = {
    "prepare": ["manage.py", "prepare"],
    "another": ["manage.py", "nightly"],
    "serve": ["-m", "polyhedral_site"],
}
WRONG = {
    "no folder": (
        {"DATABASE_URL": "sqlite:///{tmp}/none/x.sqlite3"},
        "The folder of the database is not there: {tmp}/none",
    ),
    "a folder": ({"DATABASE_URL": "sqlite:///{tmp}"}, "The database must be a file, but {tmp} is a folder."),
    "no database": ({"DATABASE_URL": "sqlite:///{tmp}/letter"}, "{tmp}/letter is not an SQLite database."),
    "no server": ({"DATABASE_URL": "postgresql://ana@127.0.0.1:{closed}/x"}, "PostgreSQL cannot be reached"),
    "a wrong option": ({"DATABASE_URL": "postgresql://ana@127.0.0.1/x?color=red"}, "invalid connection option"),
    "no name": ({"DATABASE_URL": "postgresql://ana@127.0.0.1"}, "DATABASE_URL must name a database"),
    "a wrong scheme": ({"DATABASE_URL": "mysql://ana@127.0.0.1/x"}, "DATABASE_URL must start with sqlite:///"),
    "a wrong port there": (
        {"DATABASE_URL": "postgresql://ana@127.0.0.1:abc/x"},
        "DATABASE_URL must be the address of a database",
    ),
    "no number": ({"PORT": "80a"}, "PORT must be a whole number from 1 to 65535, not '80a'."),
    "too high": ({"PORT": "65536"}, "PORT must be a whole number from 1 to 65535, not '65536'."),
    "far too high": ({"PORT": "9" * 5000}, "PORT must be a whole number from 1 to 65535"),
    "zero": ({"PORT": "0"}, "PORT must be a whole number from 1 to 65535, not '0'."),
    "no processes": ({"WEB_PROCESSES": "0"}, "WEB_PROCESSES must be a whole number from 1"),
    "no such zone": (
        {"TIME_ZONE": "Mars/Base"},
        "TIME_ZONE must be a time zone such as Europe/Berlin, not 'Mars/Base'.",
    ),
    "half a zone": ({"TIME_ZONE": "Europe"}, "TIME_ZONE must be a time zone"),
    "a way out": ({"TIME_ZONE": "../../etc/passwd"}, "TIME_ZONE must be a time zone"),
    "a file": ({"DATA_DIR": "{tmp}/letter"}, "DATA_DIR must be a folder, but {tmp}/letter is a file."),
    "in a file": ({"DATA_DIR": "{tmp}/letter/data"}, "DATA_DIR must be a folder, but {tmp}/letter is a file."),
    "no home": ({"DATA_DIR": "~no-such-user/data"}, "DATA_DIR must be a folder, but ~no-such-user is nobody's home."),
    "no sender": (
        {"EMAIL_FROM": "The table"},
        "EMAIL_FROM must be one address such as site@example.org, not 'The table'.",
    ),
    "no origin": (
        {"CSRF_TRUSTED_ORIGINS": "https://a.example, b.example"},
        "CSRF_TRUSTED_ORIGINS takes addresses such as https://characters.example.org, not 'b.example'.",
    ),
    "no flag": ({"DEBUG": "perhaps"}, "DEBUG must be 1 or 0, not 'perhaps'."),
    "an easy key": ({"PRODUCTION": "1", "SECRET_KEY": "changeme" * 8}, "SECRET_KEY is too easy to guess"),
}


def started(tmp_path, command, **variables):
    variables = {"PATH": os.environ["PATH"], "DATA_DIR": str(tmp_path / "data"), "PORT": "1", **variables}
    return subprocess.run(
        [sys.executable, *command], env=variables, cwd=ROOT, capture_output=True, text=True, timeout=60
    )


def closed_port():
    with socket.create_server(("127.0.0.1", 0)) as other:
        return other.getsockname()[1]


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_setting_is_reported_in_a_sentence(tmp_path, wrong, command):
    (tmp_path / "letter").write_text("Dear Mira, this is no database.")
    variables, sentence = WRONG[wrong]
    known = {"tmp": tmp_path, "closed": closed_port()}
    found = started(tmp_path, COMMANDS[command], **{name: value.format(**known) for name, value in variables.items()})
    assert found.returncode == 1
    assert sentence.format(**known) in found.stderr
    assert len(found.stderr.splitlines()) == 1
    assert found.stdout == ""
    assert (tmp_path / "letter").read_text().startswith("Dear Mira")


def test_a_silent_postgresql_is_not_waited_for(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"postgresql://ana@127.0.0.1:{silent.getsockname()[1]}/x"
        found = started(tmp_path, COMMANDS["serve"], DATABASE_URL=url)
    assert found.returncode == 1
    assert "timeout expired" in found.stderr
    assert found.stdout == ""


@pytest.mark.parametrize("host", ["no.such.name.invalid", "..", "999.1.1.1"])
def test_a_host_that_is_not_this_machine_is_reported_in_a_sentence(tmp_path, host):
    found = started(tmp_path, COMMANDS["serve"], HOST=host)
    assert found.returncode == 1
    assert f"Cannot listen on {host}:1" in found.stderr
    assert len(found.stderr.splitlines()) == 1
    assert found.stdout == ""


@pytest.mark.parametrize("command", ["nightly", "check_journals", "load_rules"])
def test_an_empty_database_is_reported_in_a_sentence(tmp_path, command):
    """As by a command that was run without the variables of the site."""
    found = started(tmp_path, ["manage.py", command])
    assert found.returncode == 1
    assert f"The database {tmp_path / 'data' / 'polyhedral.sqlite3'} is empty." in found.stderr
    assert len(found.stderr.splitlines()) == 1


LIMITED = (
    "import os, resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), resource.RLIM_INFINITY)); "
    "os.execv(sys.executable, [sys.executable, *sys.argv[2:]])"
)


def test_a_full_disk_is_reported_in_a_sentence(tmp_path):
    found = started(tmp_path, ["-c", LIMITED, "100000", *COMMANDS["prepare"]])
    assert found.returncode == 1
    database = tmp_path / "data" / "polyhedral.sqlite3"
    assert found.stderr.splitlines() == [f"The database {database} cannot be written: disk I/O error."]


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        ("PermissionError(13, 'Permission denied', '/data/static')", "/data/static cannot be used: Permission denied."),
        (
            "OSError(28, 'No space left on device')",
            "{data}, or another folder that this command writes, cannot be used: No space left on device.",
        ),
    ],
)
def test_files_that_cannot_be_written_are_reported_in_a_sentence(tmp_path, error, sentence):
    code = f"from polyhedral_site.__main__ import plainly\nwith plainly(): raise {error}"
    found = started(tmp_path, ["-c", code])
    assert found.returncode == 1
    assert found.stderr.splitlines() == [sentence.format(data=tmp_path / "data")]


def test_a_reader_that_has_read_enough_sees_no_traceback(tmp_path):
    """As in `manage.py sheet *.json | head`."""
    code = "from polyhedral_site.saying import plainly\nwith plainly():\n  while True: print('x' * 1000)"
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=pipe, stderr=pipe) as command:
        command.stdout.readline()
        command.stdout.close()
        assert command.stderr.read() == b""
    assert command.returncode == 1


def test_an_error_that_is_no_setting_keeps_its_traceback(tmp_path):
    """The control: only known errors are put in a sentence."""
    found = started(tmp_path, ["-c", "from polyhedral_site.saying import plainly\nwith plainly(): 1 / 0"])
    assert "ZeroDivisionError" in found.stderr
    assert "Traceback" in found.stderr
