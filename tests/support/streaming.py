"""The server with its streams in this process, on the test's database; and a stand-in for a browser that listens."""

import contextlib
import http.client
import socket
import threading
import time

import uvicorn
from django.conf import settings
from django.db import connection
from django.db import connections as databases

from polyhedral_site import __main__ as serve
from polyhedral_site import asgi, connections
from polyhedral_site.streams.hub import Hub


class Served(asgi.ThreadedDjango):
    """The server without sending mail and without warming up."""

    async def lifespan(self, receive, send):
        await receive()
        self.hub = Hub()
        self.hub.start()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        self.hub.end()
        for pool in {self.readers, self.writers, self.signers}:
            pool.submit(databases.close_all)
            pool.shutdown()
        await send({"type": "lifespan.shutdown.complete"})


@contextlib.contextmanager
def streaming(port=0, grace=2):
    """The port, and the application with its hub. grace: seconds that the server waits at the end for open
    connections."""
    application = Served()
    config = uvicorn.Config(
        application,
        http=connections.Connections,
        log_config=None,
        access_log=False,
        timeout_graceful_shutdown=grace,
        proxy_headers=False,
    )
    running = uvicorn.Server(config)
    with serve.listen("127.0.0.1", port) as listener:
        thread = threading.Thread(target=running.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            until(lambda: running.started and listens())
            yield listener.getsockname()[1], application
        finally:
            running.should_exit = True
            thread.join(20)


def listens():
    """True once this process listens. A change announced before that would end its first streams."""
    if connection.vendor != "postgresql":
        return True
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT 1 FROM pg_stat_activity WHERE query = 'LISTEN moved' AND state = 'idle' "
            "AND datname = current_database()"
        )
        return bool(cursor.fetchone())


def until(true, seconds=20):
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "It did not come to that."
        time.sleep(0.01)


class Watching:
    """A stream read by its own thread, which records each message and its time."""

    def __init__(self, port, client=None, source="127.0.0.1", cookie="", path="/stream/"):
        self.told, self.beats, self.ended = [], 0, threading.Event()
        self.link = http.client.HTTPConnection("127.0.0.1", port, timeout=60, source_address=(source, 0))
        if client:
            name = settings.SESSION_COOKIE_NAME
            cookie = f"{name}={client.cookies[name].value}"
        self.link.request("GET", path, headers={"Host": "localhost", "Cookie": cookie})
        self.socket = self.link.sock
        self.answer = self.link.getresponse()
        self.thread = threading.Thread(target=self.read, daemon=True)
        self.first = {}
        if self.answer.status == 200:
            for line in iter(self.answer.readline, b"\n"):
                if line.startswith(b"data: "):
                    self.take(line, self.first)
            self.thread.start()

    def read(self):
        with contextlib.suppress(OSError, http.client.HTTPException, AttributeError, ValueError):
            while line := self.answer.readline():
                if line.startswith(b"data: "):
                    self.take(line, None)
                self.beats += line.startswith(b":")
        self.ended.set()

    def take(self, line, first):
        thing, _, number = line.decode().removeprefix("data: ").strip().rpartition(" ")
        if first is not None:
            first[thing] = number
        else:
            self.told.append((thing, number))

    def hears(self, thing, number):
        """Wait for this message. A change announced just before the stream opened may come first."""
        until(lambda: (thing, number) in self.told)
        return True

    def hears_of_change(self, sequence):
        """Wait for this change, by its sequence."""
        until(lambda: any(number.startswith(f"{sequence}.") for _, number in self.told))
        return True

    def close(self):
        """End the stream, even while its thread waits for more."""
        with contextlib.suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR)
