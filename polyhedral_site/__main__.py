"""Serve the site on HOST and PORT: `python -m polyhedral_site`."""

import contextlib
import os
import socket

import uvicorn
from django.conf import LazySettings
from uvicorn.supervisors import Multiprocess

from . import occupied
from .connections import Connections, room
from .saying import look_for_the_database, plainly

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "polyhedral_site.settings")


def listen(host: str, port: int) -> socket.socket:
    """The listening socket. Exits with a sentence if the address cannot be used."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # The protocol is named, since asyncio sends small packets at once only if it is. Otherwise the body of an answer
    # could wait up to 40 ms for the visitor's system to acknowledge the headers.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    # A restart need not wait for the system to forget the last visitors' connections.
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except (OSError, UnicodeError) as error:  # UnicodeError: it cannot be a host name
        reason = getattr(error, "strerror", None) or "no such address"
        raise SystemExit(
            f"Cannot listen on {host}:{port} ({reason}). If something else uses that port, "
            f"choose another one: make run PORT={port + 1 if port < 65_535 else 8000}"
        ) from None
    listener.listen(2048)
    return listener


def address(host: str, port: int) -> str:
    """The address to open on this machine."""
    shown = "127.0.0.1" if host in {"0.0.0.0", "::"} else host  # noqa: S104
    return f"http://[{shown}]:{port}/" if ":" in shown else f"http://{shown}:{port}/"


def main() -> None:
    from django.conf import settings

    on_sqlite = settings.DATABASES["default"]["ENGINE"].endswith("sqlite3")
    if on_sqlite and settings.WEB_PROCESSES > 1:
        raise SystemExit("SQLite works with one process only. Use PostgreSQL (DATABASE_URL) to have more.")
    only_server = occupied.only_server(settings.DATA_DIR) if on_sqlite else contextlib.nullcontext()
    with occupied.shared(settings.DATA_DIR), only_server:
        serve(settings)


def serve(settings: LazySettings) -> None:
    from django.db import connection

    processes = settings.WEB_PROCESSES
    look_for_the_database()
    connection.close()  # the threads that answer requests have their own
    listener = listen(settings.HOST, settings.PORT)
    config = uvicorn.Config(
        "polyhedral_site.asgi:application",
        http=Connections,
        backlog=room().backlog,
        workers=processes,
        log_level="warning",
        # Otherwise open connections could delay the shutdown for as long as they like.
        timeout_graceful_shutdown=2,
        timeout_keep_alive=75,
        # Django reads a proxy's headers itself, but only if TRUSTED_PROXY_COUNT says that there is one.
        proxy_headers=False,
        server_header=False,
    )
    print(f"Polyhedral is at {address(settings.HOST, settings.PORT)} (stop with Ctrl+C)", flush=True)  # noqa: T201
    with contextlib.suppress(KeyboardInterrupt):
        if processes > 1:
            Multiprocess(config, [listener]).run()
        else:
            uvicorn.Server(config).run(sockets=[listener])


if __name__ == "__main__":
    with plainly():
        main()
